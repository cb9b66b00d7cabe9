import { openPanel } from './brief-panel.js'
import { callTool } from './calls.js'

const handoff = 'Nothing has been sent. The visitor must review the draft and send it from their own mail program.'
const briefTool = 'prepare_project_brief'

let lifetime

/** Where tools of a page are offered to an agent of the browser; undefined where there is no such place. */
function findModelContext() {
  if (!isSecureContext || window.top !== window) return undefined
  return [document.modelContext, navigator.modelContext].find((context) => typeof context?.registerTool === 'function')
}

async function offerTools() {
  const context = findModelContext()
  if (context === undefined || lifetime !== undefined) return
  const controller = new AbortController()
  const { signal } = controller
  lifetime = controller
  try {
    const response = await fetch('/agents/catalog.json', { credentials: 'omit', signal })
    const { tools } = await response.json()
    for (const tool of tools) {
      signal.throwIfAborted()
      await context.registerTool(declarationOf(tool, signal), { signal })
    }
  } catch {
    // All or none.
    controller.abort()
  }
}

function declarationOf({ name, title, description, inputSchema }, signal) {
  const annotations = name === briefTool ? { readOnlyHint: false, untrustedContentHint: true } : { readOnlyHint: true }
  return {
    name,
    title,
    description,
    inputSchema,
    annotations,
    execute: (args, call) => execute(name, args, call, signal),
  }
}

async function execute(name, args, call, ended) {
  const signal = call?.signal === undefined ? ended : AbortSignal.any([ended, call.signal])
  const { body } = await callTool(name, args ?? {}, signal)
  signal.throwIfAborted()
  if (name !== briefTool || body.error !== undefined) return body
  const reviewAvailable = openPanel(body)
  if (!reviewAvailable) return { error: { code: 'INVALID_RESULT', message: 'The draft cannot be reviewed.' } }
  return { ...body, reviewAvailable, handoff }
}

addEventListener('pagehide', () => {
  lifetime?.abort()
  lifetime = undefined
})
addEventListener('pageshow', () => void offerTools())
