'use strict'

// A button to copy each block of code.
for (const block of document.querySelectorAll('.code')) {
  if (!navigator.clipboard) break
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
  block.append(button)
}

// The language that was chosen last, everywhere.
const remembered = 'touchline-language'
const choices = [...document.querySelectorAll('.tabs input[type=radio]')]
const choose = (language) => choices.forEach((c) => { if (c.value === language) c.checked = true })
try {
  choose(localStorage.getItem(remembered))
} catch { /* a browser that keeps nothing */ }
for (const c of choices) {
  c.addEventListener('change', () => {
    choose(c.value)
    try { localStorage.setItem(remembered, c.value) } catch { /* as above */ }
  })
}
