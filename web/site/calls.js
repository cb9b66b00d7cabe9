const timeoutMs = 20_000

/**
 * Calls a tool of this origin. Returns the response body, including error responses. Throws only if `signal` aborts.
 * @param {string} name
 * @param {object} args
 * @param {AbortSignal} [signal]
 */
export async function callTool(name, args, signal) {
  const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
  try {
    const response = await fetch('/agent-api/v1/tools', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, arguments: args }),
      signal: AbortSignal.any(signals),
    })
    const body = await response.json()
    const version = response.headers.get('x-content-version')
    return { body, version, retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    signal?.throwIfAborted()
    const message = 'The tools cannot be reached. Try again.'
    return { body: { error: { code: 'UNAVAILABLE', message } }, version: null, retryAfter: null, cause: error }
  }
}

/**
 * Creates an element. Strings become text nodes, so HTML in them is never parsed.
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(string | Node)} children
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}

/**
 * Copies the text of an element. Returns false and selects the text if the browser does not allow copying.
 * @param {HTMLElement} node a text area or any other element
 */
export async function copyText(node) {
  try {
    await navigator.clipboard.writeText(node.value ?? node.textContent)
    return true
  } catch {
    if (node.select) node.select()
    else getSelection().selectAllChildren(node)
    return false
  }
}
