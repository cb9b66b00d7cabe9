import { insideAddress, type NetworkAccess, type Service } from './access.ts'

/** Port of the proxy. It is above the range that systems assign automatically. */
const proxyPort = 61_080
const firstFreePort = 1024

/** Returns the ports of the bridge: the port of the proxy and the ports of services that commands expect on localhost. */
export function bridgePorts(access: NetworkAccess): number[] {
  return [proxyPort, ...new Set(loopbackPorts(access).filter((port) => port >= firstFreePort))]
}

/** Builds the environment of commands: the address of the proxy, and service addresses at which the proxy adds headers. */
export function networkEnvironment(env: Record<string, string>, access: NetworkAccess): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`
  const tlsServices = access.services.filter(usesTls)
  const replaceAddress = (value: string): string => {
    const service = tlsServices.find(({ address }) => withoutSlash(address) === withoutSlash(value))
    return service === undefined ? value : withoutSlash(insideAddress(service).href)
  }
  // Services on privileged ports need the proxy, because the bridge cannot listen on these ports.
  const noProxyHosts = loopbackPorts(access).every((port) => port >= firstFreePort) ? 'localhost,127.0.0.1,::1' : ''
  return {
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, replaceAddress(value)])),
    ...Object.fromEntries(
      ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy'].map((name) => [name, proxy]),
    ),
    NO_PROXY: noProxyHosts,
    no_proxy: noProxyHosts,
    NODE_USE_ENV_PROXY: '1',
    ...(tlsServices.length > 0 &&
      gitConfiguration(
        env,
        tlsServices.map((service) => [`url.${insideAddress(service).href}.insteadOf`, new URL(service.address).href]),
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

function usesTls({ address }: Service): boolean {
  return new URL(address).protocol === 'https:'
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '')
}

/** Returns the variables that append entries to the git configuration in `env`. */
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
