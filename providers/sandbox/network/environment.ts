import { insideAddress, type NetworkAccess, type Service } from './access.ts'

/** Lowest port of the bridge: above the range that systems assign automatically. */
const proxyPort = 61_080
const firstFreePort = 1024

/** Ports of the bridge: that of the proxy, and those of services that commands expect on localhost. */
export function bridgePorts(access: NetworkAccess): number[] {
  return [proxyPort, ...new Set(loopbackPorts(access).filter((port) => port >= firstFreePort))]
}

/** Environment of commands with the proxy as network: its address, and services at addresses to which it adds headers. */
export function networkEnvironment(env: Record<string, string>, access: NetworkAccess): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`
  const upgraded = access.services.filter(isUpgraded)
  const inside = (value: string): string => {
    const service = upgraded.find(({ address }) => withoutSlash(address) === withoutSlash(value))
    return service === undefined ? value : withoutSlash(insideAddress(service).href)
  }
  // A service on a privileged port is reached through the proxy, because the bridge cannot listen on that port.
  const direct = loopbackPorts(access).every((port) => port >= firstFreePort) ? 'localhost,127.0.0.1,::1' : ''
  return {
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inside(value)])),
    ...Object.fromEntries(
      ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy'].map((name) => [name, proxy]),
    ),
    NO_PROXY: direct,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
    ...(upgraded.length > 0 &&
      gitConfiguration(
        env,
        upgraded.map((service) => [`url.${insideAddress(service).href}.insteadOf`, new URL(service.address).href]),
      )),
  }
}

function loopbackPorts({ services }: NetworkAccess): number[] {
  return services
    .map(insideAddress)
    .filter(isLoopback)
    .map(({ port }) => Number(port) || 80)
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function isUpgraded({ address }: Service): boolean {
  return new URL(address).protocol === 'https:'
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '')
}

/** Appends to the git configuration in `env`. */
function gitConfiguration(env: Record<string, string>, entries: [string, string][]): Record<string, string> {
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(first + entries.length)],
    ...entries.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${first + index}`, key],
      [`GIT_CONFIG_VALUE_${first + index}`, value],
    ]),
  ])
}
