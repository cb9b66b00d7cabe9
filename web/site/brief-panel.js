import { element } from './calls.js'
import { isDraft, keepDraft, maxMessage, minMessage } from './drafts.js'

let close = () => {}

/**
 * Shows a brief draft for review and says whether it did: anything but a valid, unsent draft opens nothing.
 * @param {any} result of `prepare_project_brief`
 */
export function openPanel(result) {
  const { status, draft, submitted, nextStep } = result ?? {}
  if (status !== 'draft' || submitted !== false || nextStep !== '/contact' || !isDraft(draft)) return false
  close()
  const before = document.activeElement
  const title = element('h2', { id: 'brief-panel-title', tabindex: '-1' }, 'Review your brief')
  const area = element('textarea', { id: 'brief-panel-text', maxlength: String(maxMessage), rows: '10' })
  area.value = draft.message
  const said = element('p', { role: 'status' })
  const copy = button('Copy', async () => {
    said.textContent = (await copied(area)) ? 'Copied.' : 'Copying failed: the text is selected, copy it by hand.'
  })
  const dismiss = button('Dismiss', () => close())
  const go = button('Continue', () => {
    try {
      keepDraft({ interest: draft.interest, message: area.value })
    } catch {
      said.setAttribute('role', 'alert')
      said.textContent = 'This browser keeps nothing for the next page: copy the text and open the contact page.'
      return
    }
    location.assign('/contact')
  })
  go.className = ''
  area.addEventListener('input', () => {
    go.disabled = Array.from(area.value.trim()).length < minMessage
  })
  const panel = element(
    'aside',
    { class: 'panel', 'aria-labelledby': 'brief-panel-title' },
    title,
    element('p', {}, 'Nothing has been sent.'),
    element('p', { class: 'quiet' }, `About: ${draft.interest}`),
    element('label', { for: 'brief-panel-text' }, 'Message'),
    area,
    element('p', {}, copy, dismiss, go),
    said,
  )
  close = () => {
    panel.remove()
    if (before instanceof HTMLElement && before.isConnected) before.focus()
    close = () => {}
  }
  document.querySelector('main').append(panel)
  title.focus()
  panel.scrollIntoView({ block: 'nearest' })
  return true
}

/** Puts the text into the clipboard, or selects it where that is not allowed. */
export async function copied(area) {
  try {
    await navigator.clipboard.writeText(area.value)
    return true
  } catch {
    area.select()
    return false
  }
}

function button(words, act) {
  const made = element('button', { type: 'button', class: 'plain' }, words)
  made.addEventListener('click', act)
  return made
}
