// What HTML cannot do by itself: refresh a part of a page, and copy. Everything
// else works without this script.
'use strict'

// A part with data-live is replaced by what its address has, every data-every
// seconds, while the page is seen, nobody is in the part, and it is not paused.
for (const part of document.querySelectorAll('[data-live]')) {
  const pause = document.querySelector(`[data-pause="${part.id}"]`)
  let paused = false
  pause.hidden = false
  pause.addEventListener('click', () => {
    paused = !paused
    pause.setAttribute('aria-pressed', paused)
  })
  const refresh = async () => {
    if (!paused && !document.hidden && !part.contains(document.activeElement)) {
      try {
        const response = await fetch(part.dataset.live)
        if (response.ok) part.innerHTML = await response.text()
      } catch { /* the console has ended, or is being started again */ }
    }
    setTimeout(refresh, part.dataset.every * 1000)
  }
  setTimeout(refresh, part.dataset.every * 1000)
}

// A button with data-copy copies the text of the element that it names.
for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = label }, 2000)
  })
}
