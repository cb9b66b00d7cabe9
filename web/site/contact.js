import { copied } from './brief-panel.js'
import { element } from './calls.js'
import { findDraft, maxMessage, removeDraft } from './drafts.js'

const box = document.querySelector('#draft')
const said = document.querySelector('#draft-status')
const draft = findDraft()

function end(words) {
  removeDraft()
  box.hidden = true
  said.textContent = words
}

if (draft !== undefined) {
  const expiry = setTimeout(() => end('The draft has expired and was removed.'), draft.leftMs)
  box.hidden = false
  box.querySelector('[data-action=discard]').addEventListener('click', () => {
    clearTimeout(expiry)
    end('The draft was removed.')
  })
  box.querySelector('[data-action=use]').addEventListener('click', () => {
    clearTimeout(expiry)
    end('')
    const area = element('textarea', { id: 'message', rows: '10', maxlength: String(maxMessage) })
    area.value = draft.message
    const copy = element('button', { type: 'button' }, 'Copy')
    copy.addEventListener('click', () => void copyText(area))
    box.before(
      element('p', {}, `About: ${draft.interest}`),
      element('label', { for: 'message' }, 'Message'),
      area,
      copy,
    )
    area.focus()
  })
}

async function copyText(area) {
  said.textContent = (await copied(area))
    ? 'Copied. Paste it into a mail to the address above.'
    : 'Copy the selected text.'
}
