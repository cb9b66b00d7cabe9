import { hopByHop } from '../../egress/hop-by-hop.ts'

const credentials = ['authorization', 'cookie', 'x-api-key']
/** Headers that only trusted proxies may send. The platform may trust this proxy, so they are removed. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Alternating names and values, the raw format of Node. */
type RawHeaders = string[]

/** Returns the headers to forward to the server. */
export function endToEnd(raw: RawHeaders, connection: string | undefined): RawHeaders {
  return without(raw, new Set([...hopByHop, ...namedIn(connection)]))
}

/** Merges added headers over those of the client. Removes its credentials if any are added, and its forwarding headers. */
export function requestHeaders(raw: RawHeaders, host: string, added: Record<string, string>): RawHeaders {
  const names = Object.keys(added).map((name) => name.toLowerCase())
  const dropped = new Set(['host', ...forwarding, ...names, ...(names.length > 0 ? credentials : [])])
  return ['host', host, ...without(raw, dropped), ...Object.entries(added).flat()]
}

function without(raw: RawHeaders, dropped: Set<string>): RawHeaders {
  return raw.flatMap((name, index) =>
    index % 2 === 0 && !dropped.has(name.toLowerCase()) ? [name, raw[index + 1] ?? ''] : [],
  )
}

/** Names in the header `connection`, which also belong to the connection. The length of a message never does. */
function namedIn(connection: string | undefined): string[] {
  return (connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== 'content-length')
}
