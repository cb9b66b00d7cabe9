import { copyText, element } from './calls.js'
import { isDraft, saveDraft, maxMessage, minMessage } from './drafts.js'

let close = () => {}

/**
 * Opens the review panel for a brief draft. Returns false and opens no panel if the draft is invalid or was sent.
 * @param {any} result of `prepare_project_brief`
 */
export function openPanel(result) {
  const { status, draft, submitted, nextStep } = result ?? {}
  if (status !== 'draft' || submitted !== false || nextStep !== '/contact' || !isDraft(draft)) return false
  close()
  const focused = document.activeElement
  const title = element('h2', { id: 'brief-panel-title', tabindex: '-1' }, 'Review your brief')
  const textArea = element('textarea', { id: 'brief-panel-text', maxlength: String(maxMessage), rows: '10' })
  textArea.value = draft.message
  const statusLine = element('p', { role: 'status' })
  const copyButton = button('Copy', async () => {
    statusLine.textContent = (await copyText(textArea))
      ? 'Copied.'
      : 'Could not copy. The text is selected: copy it manually.'
  })
  const dismissButton = button('Dismiss', () => close())
  const continueButton = button('Continue', () => {
    try {
      saveDraft({ interest: draft.interest, message: textArea.value })
    } catch {
      statusLine.setAttribute('role', 'alert')
      statusLine.textContent = 'This browser blocks storage. Copy the text and open the contact page.'
      return
    }
    location.assign('/contact')
  })
  continueButton.className = ''
  textArea.addEventListener('input', () => {
    continueButton.disabled = Array.from(textArea.value.trim()).length < minMessage
  })
  const panel = element(
    'aside',
    { class: 'panel', 'aria-labelledby': 'brief-panel-title' },
    title,
    element('p', {}, 'Nothing has been sent.'),
    element('p', { class: 'quiet' }, `About: ${draft.interest}`),
    element('label', { for: 'brief-panel-text' }, 'Message'),
    textArea,
    element('p', {}, copyButton, dismissButton, continueButton),
    statusLine,
  )
  close = () => {
    panel.remove()
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus()
    close = () => {}
  }
  document.querySelector('main').append(panel)
  title.focus()
  panel.scrollIntoView({ block: 'nearest' })
  return true
}

function button(label, onClick) {
  const node = element('button', { type: 'button', class: 'plain' }, label)
  node.addEventListener('click', onClick)
  return node
}
