import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { EgressError } from './index.ts'

type Connector = ReturnType<typeof buildConnector>

export type Guard = {
  lookup: LookupFunction
  mayDial: (address: string) => boolean
  timeoutMs: number
}

/**
 * Creates a connector that connects only to allowed addresses. It checks an address in the URL before connecting, the resolved
 * addresses of a name, and the peer's address after connecting.
 */
export function createConnector(guard: Guard): Connector {
  const { mayDial, timeoutMs: timeout } = guard
  const dialChecked = buildConnector({ timeout, lookup: guardLookup(guard) })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) !== 0 && !mayDial(host)) return callback(new EgressError('address'), null)
    dialChecked(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (mayDial(socket.remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      callback(new EgressError('address'), null)
    })
  }
}

/** Wraps the resolver so that it returns only allowed addresses. */
function guardLookup({ lookup, mayDial }: Guard): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, resolved) => {
      if (error !== null) return callback(error, [])
      const addresses = (Array.isArray(resolved) ? resolved : []).filter(({ address }) => mayDial(address))
      const [first] = addresses
      if (first === undefined) callback(new EgressError('address'), [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
}
