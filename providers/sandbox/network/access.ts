/** Service of the platform. It is reachable even at a private address, and the network layer adds credentials to requests. */
export type Service = {
  /** Address for commands: an origin, and optionally a path that limits the service. */
  address: string
  /** Origin to connect to, if this machine cannot reach `address`. */
  dial?: string
  /**
   * Returns the headers to add to a request, by its path. They replace the credentials of the client; undefined rejects
   * the request. The sandbox never receives these headers.
   */
  headers(path: string): Promise<Record<string, string> | undefined>
}

/** Services that one execution can reach, in addition to the reach of the deployment. */
export type NetworkAccess = {
  services: Service[]
  /** Key with which another machine of the deployment creates the same access. */
  grant?: string
}

/** `public`: the platform and the public internet. `platform`: the platform only. */
export type NetworkReach = 'public' | 'platform' | 'none'

/**
 * Returns the address of a service for commands: plain HTTP, so that the network layer can add headers. The network layer
 * connects to the service with TLS if `address` is an HTTPS URL.
 */
export function insideAddress({ address }: Service): URL {
  const inside = new URL(address)
  inside.protocol = 'http:'
  return inside
}

/** Returns the service that serves `url`, if any. */
export function findService({ services }: NetworkAccess, url: URL): Service | undefined {
  return services.find((service) => {
    const base = new URL(service.address)
    const isHost = url.origin === base.origin || url.origin === insideAddress(service).origin
    return isHost && isBelow(url.pathname, base.pathname)
  })
}

/** Returns the service of an origin that a tunnel can reach: a service with TLS and without a path. */
export function findTunnelService({ services }: NetworkAccess, origin: URL): Service | undefined {
  return services.find(({ address, dial }) => {
    const base = new URL(address)
    return dial === undefined && base.protocol === 'https:' && base.pathname === '/' && base.origin === origin.origin
  })
}

function isBelow(path: string, base: string): boolean {
  return `${path}/`.startsWith(base.endsWith('/') ? base : `${base}/`)
}
