const seconds = 20

/**
 * Calls a tool of this origin. Answers the body of the result or of the refusal, and never throws but for `signal`.
 * @param {string} name
 * @param {object} args
 * @param {AbortSignal} [signal]
 */
export async function callTool(name, args, signal) {
  const signals = [AbortSignal.timeout(seconds * 1000), ...(signal ? [signal] : [])]
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
 * An element with text and children: whatever is shown goes through text nodes.
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(string | Node)} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}
