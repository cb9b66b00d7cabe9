// Network access of the simulated curl: through the proxy on the socket in the working directory, which decides what can be
// reached. Plain JavaScript, like its importer.
import { Agent, request as ask } from 'node:http'
import { DefenseInDepthBox } from 'just-bash'

const maxBytes = 16 * 1024 * 1024
const ownMaxRedirects = 10
const maxTimeoutMs = 60_000
const redirects = [301, 302, 303, 307, 308]
const credentials = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']

const agent = new Agent({ keepAlive: false })

const gather = async (answer) => {
  const chunks = []
  let size = 0
  for await (const chunk of answer) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const valueOf = (value) => (Array.isArray(value) ? value.join(', ') : String(value))

const sendOnce = async (url, { method, headers, body, signal }) => {
  const answer = await new Promise((resolve, reject) => {
    const outgoing = ask(
      { socketPath: 'proxy', agent, method, path: url.href, headers: { ...headers, host: url.host }, signal },
      resolve,
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
  return {
    url: url.href,
    status: answer.statusCode,
    statusText: answer.statusMessage,
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, valueOf(value)])),
    body: await gather(answer),
  }
}

/** Builds the request after a redirect. Credentials are sent only to their own host. */
const redirected = (sent, from, to, status) => {
  const becomesGet = status === 303 || (status < 303 && sent.method === 'POST')
  const dropped = [...(from.origin === to.origin ? [] : credentials), ...(becomesGet ? ['content-type'] : [])]
  const headers = Object.fromEntries(Object.entries(sent.headers).filter(([name]) => !dropped.includes(name)))
  return { ...sent, headers, ...(becomesGet && { method: 'GET', body: undefined }) }
}

const follow = async (address, options) => {
  const { followRedirects = true, maxRedirects = ownMaxRedirects, timeoutMs = maxTimeoutMs } = options
  const late = AbortSignal.timeout(Math.min(timeoutMs, maxTimeoutMs))
  let url = new URL(address)
  let sent = {
    method: options.method ?? 'GET',
    headers: Object.fromEntries(
      new Headers({ 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(options.headers)) }),
    ),
    body: options.body,
    signal: options.signal ? AbortSignal.any([late, options.signal]) : late,
  }
  for (let hops = 0; ; hops++) {
    const answer = await sendOnce(url, sent)
    const { location } = answer.headers
    if (!followRedirects || location === undefined || !redirects.includes(answer.status)) return answer
    if (hops === Math.min(maxRedirects, ownMaxRedirects)) throw new Error('too many redirects')
    const next = new URL(location, url)
    sent = redirected(sent, url, next, answer.status)
    url = next
  }
}

/** Implements the `SecureFetch` of just-bash. */
export const fetchThroughProxy = (address, options = {}) =>
  DefenseInDepthBox.runTrustedAsync(() => follow(address, options))
