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
 * Opens connections to allowed addresses. Checks the addresses of a name as they are resolved for the connection, an address
 * in the URL before connecting, and the address of the peer again after connecting.
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

/** Wraps the resolver and removes addresses that are not allowed. */
function guardLookup({ lookup, mayDial }: Guard): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const addresses = (Array.isArray(found) ? found : []).filter(({ address }) => mayDial(address))
      const [first] = addresses
      if (first === undefined) callback(new EgressError('address'), [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
}
