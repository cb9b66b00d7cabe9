import { copyText } from './calls.js'

const shownMs = 2000

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  const label = button.textContent
  let reset
  const showResult = async () => {
    const isCopied = await copyText(button.closest('.code').querySelector('code'))
    button.textContent = isCopied ? 'Copied' : 'Selected'
    clearTimeout(reset)
    reset = setTimeout(() => (button.textContent = label), shownMs)
  }
  button.addEventListener('click', () => void showResult())
}
