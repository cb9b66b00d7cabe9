import { openPanel } from './brief-panel.js'
import { callTool, element } from './calls.js'

const figures = [
  ['hoursSaved', 'Time set free'],
  ['capacityValue', 'Worth of that time'],
  ['monthlyNetValue', 'Net value a month'],
  ['firstYearNetValue', 'Net value of the first year'],
  ['paybackMonths', 'Payback'],
]

/** How a form becomes arguments, and a result becomes nodes. */
const tools = {
  read_service_page: { read: (form) => ({ id: form.get('id').trim() }), show: showDocument },
  estimate_workflow_roi: { read: readAmounts, show: showEstimate },
  assess_workflow_readiness: { read: (form) => ({ answers: Object.fromEntries(form) }), show: showAssessment },
  prepare_project_brief: { read: readBrief, show: showBrief },
}

for (const form of document.querySelectorAll('form[data-tool]')) {
  form.querySelector('fieldset').disabled = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit(form)
  })
}
const search = document.querySelector('#search form')
search.addEventListener('submit', (event) => {
  event.preventDefault()
  void showSearch(Object.fromEntries(new FormData(search)))
})

async function submit(form) {
  const { read, show } = tools[form.dataset.tool]
  const place = form.parentElement.querySelector('[data-result]')
  const answer = await callTool(form.dataset.tool, read(new FormData(form)))
  clearFaults(form)
  if (answer.body.error === undefined) place.replaceChildren(...show(answer))
  else place.replaceChildren(refusal(answer))
  if (answer.body.error !== undefined) markFaults(form, answer.body.error.issues ?? [])
}

function refusal({ body, retryAfter }) {
  const when = retryAfter === null ? '' : ` Try again in ${retryAfter} seconds.`
  return element('p', { class: 'error' }, body.error.message + when)
}

function markFaults(form, issues) {
  const fields = new Set(issues.map(({ field }) => field.replace(/^answers\./, '')))
  for (const name of fields) {
    const controls = [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)]
    const control = controls[0]
    if (control === undefined) continue
    const note = document.getElementById(`${control.type === 'radio' ? name : control.id}-wrong`)
    note.hidden = false
    if (control.type !== 'radio') control.setAttribute('aria-invalid', 'true')
  }
  const first = [...form.elements].find(({ name }) => fields.has(name))
  first?.focus()
}

function clearFaults(form) {
  for (const note of form.querySelectorAll('.wrong')) note.hidden = true
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid')
}

/** An empty field is no number: it is left out, and the answer names it. */
function readAmounts(form) {
  const given = [...form].filter(([, value]) => value !== '')
  return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]))
}

function readBrief(form) {
  return Object.fromEntries(
    [...form].filter(([name, value]) => value !== '' || name === 'workflow' || name === 'desiredOutcome'),
  )
}

async function showSearch(input, shown = []) {
  const place = document.querySelector('#search [data-result]')
  const answer = await callTool('search_service', input)
  if (answer.body.error !== undefined) {
    place.replaceChildren(refusal(answer))
    return
  }
  const { results, total, nextCursor } = answer.body
  const items = [...shown, ...results.map(resultItem)]
  const more = element('button', { type: 'button', class: 'plain' }, 'More results')
  more.addEventListener('click', () => void showSearch({ ...input, cursor: nextCursor }, items))
  place.replaceChildren(
    element('p', { class: 'quiet' }, total === 0 ? 'Nothing matches.' : `${items.length} of ${total} results`),
    element('ul', { class: 'entries' }, ...items),
    ...(nextCursor === null ? [] : [more]),
  )
}

function resultItem({ id, title, url, excerpt }) {
  const read = element('button', { type: 'button', class: 'plain' }, 'Read here')
  read.setAttribute('aria-label', `Read here: ${title}`)
  read.addEventListener('click', () => {
    const form = document.querySelector('#read form')
    form.elements.id.value = id
    form.requestSubmit()
    form.elements.id.focus()
  })
  const link = element('a', { href: new URL(url).pathname }, title)
  return element('li', {}, element('h3', {}, link), element('p', {}, excerpt), read)
}

/** A document is shown as it is written. */
function showDocument({ body, version }) {
  const text = element('pre', { class: 'text', tabindex: '0' }, body.markdown)
  const progress = element('p', { class: 'quiet' })
  const more = element('button', { type: 'button', class: 'plain' }, 'Continue reading')
  const part = { offset: body.nextOffset, version }
  const tell = (end) => {
    progress.textContent = `${end ?? body.totalLength} of ${body.totalLength} characters`
    more.hidden = end === null
  }
  const readOn = async () => {
    const answer = await callTool('read_service_page', { id: body.id, offset: part.offset })
    if (answer.body.error !== undefined) {
      progress.replaceChildren(refusal(answer))
      return
    }
    // The document was replaced meanwhile: its parts do not fit together.
    if (answer.version !== part.version) {
      progress.textContent = 'The page has changed. Read it again from its beginning.'
      more.hidden = true
      return
    }
    text.append(answer.body.markdown)
    part.offset = answer.body.nextOffset
    tell(part.offset)
  }
  more.addEventListener('click', () => void readOn())
  tell(part.offset)
  return [element('h3', {}, body.title), text, progress, more]
}

function showEstimate({ body: { result, units, interpretation } }) {
  const rows = figures.flatMap(([name, words]) => {
    const value = result[name]
    const shown = value === null ? 'no payback period' : `${value.toLocaleString('en-US')} ${units[name]}`
    return [element('dt', {}, words), element('dd', {}, shown)]
  })
  return [element('dl', {}, ...rows), element('p', { class: 'quiet' }, interpretation)]
}

function showAssessment({ body: { recommendation } }) {
  const { title, description, steps, interest } = recommendation
  const carry = element('button', { type: 'button' }, 'Take this into the brief')
  carry.addEventListener('click', () => {
    const { elements } = document.querySelector('#brief form')
    elements.interest.value = interest
    elements.workflow.focus()
  })
  const list = element('ol', {}, ...steps.map((step) => element('li', {}, step)))
  return [element('h3', {}, title), element('p', {}, description), list, carry]
}

function showBrief({ body }) {
  return openPanel(body) ? [] : [element('p', { class: 'error' }, 'INVALID_RESULT: this draft cannot be shown.')]
}
