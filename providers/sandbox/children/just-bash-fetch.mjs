// Network access of the simulated curl. The proxy on the socket in the working directory decides which addresses can be
// reached. The file is JavaScript, like its importer.
import { Agent, request as sendRequest } from 'node:http'
import { DefenseInDepthBox } from 'just-bash'

const maxBytes = 16 * 1024 * 1024
const maxAllowedRedirects = 10
const maxTimeoutMs = 60_000
const redirects = [301, 302, 303, 307, 308]
const credentials = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']

const agent = new Agent({ keepAlive: false })

const readBody = async (response) => {
  const chunks = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const joinValues = (value) => (Array.isArray(value) ? value.join(', ') : String(value))

const sendOnce = async (url, { method, headers, body, signal }) => {
  const response = await new Promise((resolve, reject) => {
    const outgoing = sendRequest(
      { socketPath: 'proxy', agent, method, path: url.href, headers: { ...headers, host: url.host }, signal },
      resolve,
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
  return {
    url: url.href,
    status: response.statusCode,
    statusText: response.statusMessage,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, joinValues(value)])),
    body: await readBody(response),
  }
}

/** Builds the request after a redirect. Credentials are sent only to their own host. */
const buildRedirect = (currentRequest, from, to, status) => {
  const becomesGet = status === 303 || (status < 303 && currentRequest.method === 'POST')
  const droppedHeaders = [...(from.origin === to.origin ? [] : credentials), ...(becomesGet ? ['content-type'] : [])]
  const headers = Object.fromEntries(
    Object.entries(currentRequest.headers).filter(([name]) => !droppedHeaders.includes(name)),
  )
  return { ...currentRequest, headers, ...(becomesGet && { method: 'GET', body: undefined }) }
}

const fetchWithRedirects = async (address, options) => {
  const { followRedirects = true, maxRedirects = maxAllowedRedirects, timeoutMs = maxTimeoutMs } = options
  const timeoutSignal = AbortSignal.timeout(Math.min(timeoutMs, maxTimeoutMs))
  let url = new URL(address)
  let currentRequest = {
    method: options.method ?? 'GET',
    headers: Object.fromEntries(
      new Headers({ 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(options.headers)) }),
    ),
    body: options.body,
    signal: options.signal ? AbortSignal.any([timeoutSignal, options.signal]) : timeoutSignal,
  }
  for (let hops = 0; ; hops++) {
    const response = await sendOnce(url, currentRequest)
    const { location } = response.headers
    if (!followRedirects || location === undefined || !redirects.includes(response.status)) return response
    if (hops === Math.min(maxRedirects, maxAllowedRedirects)) throw new Error('too many redirects')
    const next = new URL(location, url)
    currentRequest = buildRedirect(currentRequest, url, next, response.status)
    url = next
  }
}

/** Implements the `SecureFetch` of just-bash. */
export const fetchThroughProxy = (address, options = {}) =>
  DefenseInDepthBox.runTrustedAsync(() => fetchWithRedirects(address, options))
