'use strict'

// Light or dark as chosen here, else as the system has it. It runs before the page
// is drawn.
const themes = ['auto', 'light', 'dark']
const themeKept = 'touchline-theme'
let theme = 'auto'
try {
  theme = localStorage.getItem(themeKept) ?? 'auto'
} catch { /* a browser that keeps nothing */ }
const showTheme = () => {
  document.documentElement.classList.remove(...themes)
  document.documentElement.classList.add(theme)
}
showTheme()

document.addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme')
  const name = () => { button.textContent = { auto: 'Auto', light: 'Light', dark: 'Dark' }[theme] }
  name()
  button.hidden = false
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]
    showTheme()
    name()
    try { localStorage.setItem(themeKept, theme) } catch { /* as above */ }
  })
})
