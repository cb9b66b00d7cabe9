import { openPanel } from './brief-panel.js'
import { callTool, element } from './calls.js'

const resultLabels = [
  ['hoursSaved', 'Hours saved'],
  ['capacityValue', 'Value of the time saved'],
  ['monthlyNetValue', 'Monthly net value'],
  ['firstYearNetValue', 'First-year net value'],
  ['paybackMonths', 'Payback'],
]

/** Tools by name. `read` converts form data to arguments; `show` converts a response to nodes. */
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
  const container = form.parentElement.querySelector('[data-result]')
  const response = await callTool(form.dataset.tool, read(new FormData(form)))
  clearInvalidFields(form)
  if (response.body.error === undefined) container.replaceChildren(...show(response))
  else container.replaceChildren(createErrorNode(response))
  if (response.body.error !== undefined) markInvalidFields(form, response.body.error.issues ?? [])
}

function createErrorNode({ body, retryAfter }) {
  const retryNote = retryAfter === null ? '' : ` Try again in ${retryAfter} seconds.`
  return element('p', { class: 'error' }, body.error.message + retryNote)
}

function markInvalidFields(form, issues) {
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

function clearInvalidFields(form) {
  for (const note of form.querySelectorAll('.wrong')) note.hidden = true
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid')
}

/** Reads the numbers of a form. Omits empty fields, so that the error of the tool names them. */
function readAmounts(form) {
  const entries = [...form].filter(([, value]) => value !== '')
  return Object.fromEntries(entries.map(([name, value]) => [name, Number(value)]))
}

function readBrief(form) {
  return Object.fromEntries(
    [...form].filter(([name, value]) => value !== '' || name === 'workflow' || name === 'desiredOutcome'),
  )
}

async function showSearch(input, previousItems = []) {
  const container = document.querySelector('#search [data-result]')
  const response = await callTool('search_service', input)
  if (response.body.error !== undefined) {
    container.replaceChildren(createErrorNode(response))
    return
  }
  const { results, total, nextCursor } = response.body
  const items = [...previousItems, ...results.map(createResultItem)]
  const moreButton = element('button', { type: 'button', class: 'plain' }, 'More results')
  moreButton.addEventListener('click', () => void showSearch({ ...input, cursor: nextCursor }, items))
  container.replaceChildren(
    element('p', { class: 'quiet' }, total === 0 ? 'Nothing matches.' : `${items.length} of ${total} results`),
    element('ul', { class: 'entries' }, ...items),
    ...(nextCursor === null ? [] : [moreButton]),
  )
}

function createResultItem({ id, title, url, excerpt }) {
  const readButton = element('button', { type: 'button', class: 'plain' }, 'Read here')
  readButton.setAttribute('aria-label', `Read here: ${title}`)
  readButton.addEventListener('click', () => {
    const form = document.querySelector('#read form')
    form.elements.id.value = id
    form.requestSubmit()
    form.elements.id.focus()
  })
  const link = element('a', { href: new URL(url).pathname }, title)
  return element('li', {}, element('h3', {}, link), element('p', {}, excerpt), readButton)
}

/** Shows the Markdown source of a document. */
function showDocument({ body, version }) {
  const text = element('pre', { class: 'text', tabindex: '0' }, body.markdown)
  const progress = element('p', { class: 'quiet' })
  const moreButton = element('button', { type: 'button', class: 'plain' }, 'Continue reading')
  const part = { offset: body.nextOffset, version }
  const showProgress = (end) => {
    progress.textContent = `${end ?? body.totalLength} of ${body.totalLength} characters`
    moreButton.hidden = end === null
  }
  const readNextPart = async () => {
    const response = await callTool('read_service_page', { id: body.id, offset: part.offset })
    if (response.body.error !== undefined) {
      progress.replaceChildren(createErrorNode(response))
      return
    }
    // The versions differ if the document has changed since the previous part was read.
    if (response.version !== part.version) {
      progress.textContent = 'The page has changed. Read it again from the beginning.'
      moreButton.hidden = true
      return
    }
    text.append(response.body.markdown)
    part.offset = response.body.nextOffset
    showProgress(part.offset)
  }
  moreButton.addEventListener('click', () => void readNextPart())
  showProgress(part.offset)
  return [element('h3', {}, body.title), text, progress, moreButton]
}

function showEstimate({ body: { result, units, interpretation } }) {
  const rows = resultLabels.flatMap(([name, label]) => {
    const value = result[name]
    const text = value === null ? 'no payback period' : `${value.toLocaleString('en-US')} ${units[name]}`
    return [element('dt', {}, label), element('dd', {}, text)]
  })
  return [element('dl', {}, ...rows), element('p', { class: 'quiet' }, interpretation)]
}

function showAssessment({ body: { recommendation } }) {
  const { title, description, steps, interest } = recommendation
  const briefButton = element('button', { type: 'button' }, 'Use this in the brief')
  briefButton.addEventListener('click', () => {
    const { elements } = document.querySelector('#brief form')
    elements.interest.value = interest
    elements.workflow.focus()
  })
  const list = element('ol', {}, ...steps.map((step) => element('li', {}, step)))
  return [element('h3', {}, title), element('p', {}, description), list, briefButton]
}

function showBrief({ body }) {
  return openPanel(body) ? [] : [element('p', { class: 'error' }, 'INVALID_RESULT: this draft cannot be shown.')]
}
