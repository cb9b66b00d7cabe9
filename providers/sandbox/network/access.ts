/** A host of the platform: reachable although it may be private, and asked with the platform's own credentials. */
export type Service = {
  /** As commands know it: an origin, and a path where only what lies below it belongs to the service. */
  address: string
  /** Origin that is dialled in its place, where `address` does not lead there from this machine. */
  dial?: string
  /**
   * Headers for one request, by its path. With any, the credentials that the client sent are dropped; undefined refuses
   * the request. The sandbox never sees them.
   */
  headers(path: string): Promise<Record<string, string> | undefined>
}

/** What one execution may reach beyond what the deployment allows to all. */
export type NetworkAccess = { services: Service[] }

/** `public`: the platform and the public internet. `platform`: the platform only. */
export type NetworkReach = 'public' | 'platform' | 'none'

/**
 * The address of a service as commands use it: plain HTTP, so that the network layer can add to a request. It speaks TLS
 * from there on where the service does.
 */
export function insideAddress({ address }: Service): URL {
  const inside = new URL(address)
  inside.protocol = 'http:'
  return inside
}

/** The service that `url` belongs to, if any. */
export function findService({ services }: NetworkAccess, url: URL): Service | undefined {
  return services.find((service) => {
    const base = new URL(service.address)
    const isHost = url.origin === base.origin || url.origin === insideAddress(service).origin
    return isHost && belowPath(url.pathname, base.pathname)
  })
}

/** The service that may be reached through a tunnel: one that speaks TLS itself, as a whole. */
export function findTunnelled({ services }: NetworkAccess, origin: URL): Service | undefined {
  return services.find(({ address, dial }) => {
    const base = new URL(address)
    return dial === undefined && base.protocol === 'https:' && base.pathname === '/' && base.origin === origin.origin
  })
}

function belowPath(path: string, base: string): boolean {
  return `${path}/`.startsWith(base.endsWith('/') ? base : `${base}/`)
}
