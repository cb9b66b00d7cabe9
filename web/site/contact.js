import { copyText, element } from './calls.js'
import { findDraft, maxMessage, removeDraft } from './drafts.js'

const draftNotice = document.querySelector('#draft')
const statusLine = document.querySelector('#draft-status')
const draft = findDraft()

function closeDraft(message) {
  removeDraft()
  draftNotice.hidden = true
  statusLine.textContent = message
}

if (draft !== undefined) {
  const expiry = setTimeout(() => closeDraft('The draft has expired and was removed.'), draft.remainingMs)
  draftNotice.hidden = false
  draftNotice.querySelector('[data-action=discard]').addEventListener('click', () => {
    clearTimeout(expiry)
    closeDraft('The draft was removed.')
  })
  draftNotice.querySelector('[data-action=use]').addEventListener('click', () => {
    clearTimeout(expiry)
    closeDraft('')
    const textArea = element('textarea', { id: 'message', rows: '10', maxlength: String(maxMessage) })
    textArea.value = draft.message
    const copyButton = element('button', { type: 'button' }, 'Copy')
    copyButton.addEventListener('click', () => void copyMessage(textArea))
    draftNotice.before(
      element('p', {}, `About: ${draft.interest}`),
      element('label', { for: 'message' }, 'Message'),
      textArea,
      copyButton,
    )
    textArea.focus()
  })
}

async function copyMessage(textArea) {
  statusLine.textContent = (await copyText(textArea))
    ? 'Copied. Paste it into an email to the address above.'
    : 'Copy the selected text.'
}
