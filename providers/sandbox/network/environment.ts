import { insideAddress, type NetworkAccess, type Service } from './access.ts'

/** Above the ports that systems hand out by themselves. */
const proxyPort = 61_080
const firstFreePort = 1024

/** What the bridge listens on: the proxy's port, and those of services that commands look for on their own machine. */
export function bridgePorts(access: NetworkAccess): number[] {
  return [proxyPort, ...new Set(loopbackPorts(access).filter((port) => port >= firstFreePort))]
}

/** `env` for commands whose network is the proxy's: where it is, and the services at the addresses that it can add to. */
export function networkEnvironment(env: Record<string, string>, access: NetworkAccess): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`
  const upgraded = access.services.filter(isUpgraded)
  const inside = (value: string): string => {
    const service = upgraded.find(({ address }) => withoutSlash(address) === withoutSlash(value))
    return service === undefined ? value : withoutSlash(insideAddress(service).href)
  }
  // A service on a port that no command may listen on is reached through the proxy like every other.
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

/** Adds to the git configuration in `env`, which may hold some already. */
function gitConfiguration(env: Record<string, string>, entries: [string, string][]): Record<string, string> {
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(first + entries.length)],
    ...entries.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${first + at}`, key],
      [`GIT_CONFIG_VALUE_${first + at}`, value],
    ]),
  ])
}
