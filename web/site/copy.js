const shownMs = 2000

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false
  const label = button.textContent
  let reset
  const showResult = async () => {
    const isCopied = await copy(button.closest('.code').querySelector('code'))
    button.textContent = isCopied ? 'Copied' : 'Selected'
    clearTimeout(reset)
    reset = setTimeout(() => (button.textContent = label), shownMs)
  }
  button.addEventListener('click', () => void showResult())
}

/** Copies the text. Returns false and selects the text if the browser does not allow copying. */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(code)
    return false
  }
}
