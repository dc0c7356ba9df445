// What HTML cannot do by itself: take files that are dropped. Everything else works
// without this script.
'use strict'

// A form with data-upload takes a folder or files that are dropped on it.
for (const form of document.querySelectorAll('[data-upload]')) {
  const zone = form.querySelector('.dropzone')
  const input = form.querySelector('#files')
  const chosen = form.querySelector('[data-chosen]')
  zone.hidden = false
  for (const type of ['dragenter', 'dragover']) {
    form.addEventListener(type, event => { event.preventDefault(); form.classList.add('over') })
  }
  form.addEventListener('dragleave', () => form.classList.remove('over'))
  form.addEventListener('drop', async event => {
    event.preventDefault()
    form.classList.remove('over')
    const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean)
    const files = entries.length ? (await Promise.all(entries.map(filesOf))).flat() : [...event.dataTransfer.files]
    const all = new DataTransfer()
    for (const file of files) all.items.add(file)
    input.files = all.files
    chosen.textContent = files.map(file => file.name).join(', ')
  })
}

// filesOf is an entry's file, or the files of a folder.
async function filesOf (entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))]
  const reader = entry.createReader()
  const found = []
  for (;;) { // a reader gives some at a time
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (!some.length) return (await Promise.all(found.filter(e => e.isFile).map(filesOf))).flat()
    found.push(...some)
  }
}
