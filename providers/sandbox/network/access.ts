/** A service of the platform. It is reachable even at a private address, and requests to it get credentials. */
export type Service = {
  /** Address for commands: an origin, and optionally a path that limits the service. */
  address: string
  /** Origin to connect to instead, if `address` is not reachable from this machine. */
  dial?: string
  /**
   * Returns the headers to add to a request, by its path. They replace the credentials of the client; undefined refuses
   * the request. The sandbox never sees these headers.
   */
  headers(path: string): Promise<Record<string, string> | undefined>
}

/** Services that one execution can reach, in addition to those that the deployment allows for all. */
export type NetworkAccess = {
  services: Service[]
  /** Key with which another machine of the deployment creates the same access. */
  grant?: string
}

/** `public`: the platform and the public internet. `platform`: the platform only. */
export type NetworkReach = 'public' | 'platform' | 'none'

/**
 * Returns the address of a service for commands: plain HTTP, so that the network layer can add headers. The network layer
 * uses TLS if the service does.
 */
export function insideAddress({ address }: Service): URL {
  const inside = new URL(address)
  inside.protocol = 'http:'
  return inside
}

/** Returns the service that `url` belongs to, if any. */
export function findService({ services }: NetworkAccess, url: URL): Service | undefined {
  return services.find((service) => {
    const base = new URL(service.address)
    const isHost = url.origin === base.origin || url.origin === insideAddress(service).origin
    return isHost && belowPath(url.pathname, base.pathname)
  })
}

/** Returns the service that can be reached through a tunnel: one with TLS that covers a whole origin. */
export function findTunnelled({ services }: NetworkAccess, origin: URL): Service | undefined {
  return services.find(({ address, dial }) => {
    const base = new URL(address)
    return dial === undefined && base.protocol === 'https:' && base.pathname === '/' && base.origin === origin.origin
  })
}

function belowPath(path: string, base: string): boolean {
  return `${path}/`.startsWith(base.endsWith('/') ? base : `${base}/`)
}
