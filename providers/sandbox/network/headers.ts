import { hopByHop } from '../../egress/hop-by-hop.ts'

const credentials = ['authorization', 'cookie', 'x-api-key']
/** Headers that only trusted proxies may send. They are removed, because the platform may trust this proxy. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Alternating names and values, in the raw format of Node.js. */
type RawHeaders = string[]

/** Returns the headers to forward to the server. */
export function filterEndToEnd(raw: RawHeaders, connection: string | undefined): RawHeaders {
  return removeHeaders(raw, new Set([...hopByHop, ...parseConnectionHeader(connection)]))
}

/** Adds headers to the client's headers. Removes forwarding headers, and the client's credentials if headers are added. */
export function buildRequestHeaders(raw: RawHeaders, host: string, added: Record<string, string>): RawHeaders {
  const names = Object.keys(added).map((name) => name.toLowerCase())
  const excluded = new Set(['host', ...forwardingHeaders, ...names, ...(names.length > 0 ? credentials : [])])
  return ['host', host, ...removeHeaders(raw, excluded), ...Object.entries(added).flat()]
}

function removeHeaders(raw: RawHeaders, excluded: Set<string>): RawHeaders {
  return raw.flatMap((name, index) =>
    index % 2 === 0 && !excluded.has(name.toLowerCase()) ? [name, raw[index + 1] ?? ''] : [],
  )
}

/** Returns the header names that the header `connection` lists, except `content-length`, which describes the message. */
function parseConnectionHeader(connection: string | undefined): string[] {
  return (connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== 'content-length')
}
