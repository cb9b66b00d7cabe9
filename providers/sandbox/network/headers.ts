import { hopByHop } from '../../egress/hop-by-hop.ts'

const credentials = ['authorization', 'cookie', 'x-api-key']
/** What only a proxy that the platform trusts may say, and this one may be. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Names and values, one after the other, as Node reads and writes them. */
type RawHeaders = string[]

/** The headers that go on to the other side. */
export function endToEnd(raw: RawHeaders, connection: string | undefined): RawHeaders {
  return without(raw, new Set([...hopByHop, ...namedIn(connection)]))
}

/** The client's headers under ours: where we add any, its own credentials go. Where it comes from is not its to say. */
export function requestHeaders(raw: RawHeaders, host: string, added: Record<string, string>): RawHeaders {
  const names = Object.keys(added).map((name) => name.toLowerCase())
  const dropped = new Set(['host', ...forwarding, ...names, ...(names.length > 0 ? credentials : [])])
  return ['host', host, ...without(raw, dropped), ...Object.entries(added).flat()]
}

function without(raw: RawHeaders, dropped: Set<string>): RawHeaders {
  return raw.flatMap((name, at) => (at % 2 === 0 && !dropped.has(name.toLowerCase()) ? [name, raw[at + 1] ?? ''] : []))
}

/** What the header `connection` names belongs to the connection too; the length of a message never does. */
function namedIn(connection: string | undefined): string[] {
  return (connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== 'content-length')
}
