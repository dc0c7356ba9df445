'use strict'

// The search over all pages. Its index is a script, loaded when it is needed: a
// page that is read from a disk may not fetch.
{
  const search = document.getElementById('search')
  const query = search.querySelector('input')
  const results = document.getElementById('results')
  const count = document.getElementById('count')
  search.hidden = false

  let loading
  const load = () => {
    loading ??= new Promise((resolve) => {
      const script = document.createElement('script')
      script.src = 'assets/index.js'
      script.addEventListener('load', resolve)
      document.head.append(script)
    })
    return loading
  }

  const item = (entry, asked) => {
    const li = document.createElement('li')
    const a = document.createElement('a')
    a.href = entry.link
    const title = document.createElement('strong')
    title.textContent = entry.title === entry.page ? entry.page : `${entry.page}: ${entry.title}`
    const text = document.createElement('span')
    text.textContent = Find.place(entry, asked)
    a.append(title, text)
    li.append(a)
    return li
  }

  const show = async () => {
    if (Find.words(query.value).length === 0) return close()
    await load()
    const found = Find.find(globalThis.touchlineIndex, query.value, 12)
    results.replaceChildren(...found.map((entry) => item(entry, query.value)))
    results.hidden = found.length === 0
    count.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`
  }

  const close = () => {
    results.hidden = true
    count.textContent = ''
  }

  query.addEventListener('focus', load)
  query.addEventListener('input', show)
  search.addEventListener('submit', (event) => {
    event.preventDefault()
    results.querySelector('a')?.click()
  })
  search.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    if (event.key === 'Escape') {
      close()
      query.focus()
    } else if (event.key === 'ArrowDown' && links.length > 0 && !results.hidden) {
      links[Math.min(at + 1, links.length - 1)].focus()
      event.preventDefault()
    } else if (event.key === 'ArrowUp' && at >= 0) {
      (links[at - 1] ?? query).focus()
      event.preventDefault()
    }
  })
  document.addEventListener('click', (event) => { if (!search.contains(event.target)) close() })
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      query.focus()
      event.preventDefault()
    }
  })
}
