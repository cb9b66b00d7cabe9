import { openPanel } from './brief-panel.js'
import { callTool } from './calls.js'

const handoff = 'Nothing has been sent. The visitor must review the draft and send it from their own mail program.'
const briefTool = 'prepare_project_brief'

let registration

/** Returns the WebMCP context of the browser; undefined if the browser does not support it. */
function findModelContext() {
  if (!isSecureContext || window.top !== window) return undefined
  return [document.modelContext, navigator.modelContext].find((context) => typeof context?.registerTool === 'function')
}

async function registerTools() {
  const context = findModelContext()
  if (context === undefined || registration !== undefined) return
  const controller = new AbortController()
  const { signal } = controller
  registration = controller
  try {
    const response = await fetch('/agents/catalog.json', { credentials: 'omit', signal })
    const { tools } = await response.json()
    for (const tool of tools) {
      signal.throwIfAborted()
      await context.registerTool(declareTool(tool, signal), { signal })
    }
  } catch {
    // Unregisters the tools that were already registered.
    controller.abort()
  }
}

function declareTool({ name, title, description, inputSchema }, signal) {
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

async function execute(name, args, call, pageSignal) {
  const signal = call?.signal === undefined ? pageSignal : AbortSignal.any([pageSignal, call.signal])
  const { body } = await callTool(name, args ?? {}, signal)
  signal.throwIfAborted()
  if (name !== briefTool || body.error !== undefined) return body
  const reviewAvailable = openPanel(body)
  if (!reviewAvailable) return { error: { code: 'INVALID_RESULT', message: 'The draft cannot be reviewed.' } }
  return { ...body, reviewAvailable, handoff }
}

addEventListener('pagehide', () => {
  registration?.abort()
  registration = undefined
})
addEventListener('pageshow', () => void registerTools())
