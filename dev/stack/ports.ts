import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import { createListeners } from '../../api/http/listeners.ts'
import { loopbackHosts, type Config } from '../../config.ts'
import { CommandRefusedError } from '../say.ts'

type Hosts = readonly [string, ...string[]]

/** Ports on which processes serve metrics. */
export type MetricsPorts = { api: number; worker?: number | undefined; 'worker-2'?: number | undefined }

/** A port that a setting defines. Only the first host must exist on this machine. */
export type PortUse = { setting: string; port: number; hosts: Hosts }

const ipv4Only: Hosts = ['127.0.0.1']

/** Lists the ports that Backline listens on with these settings. */
export function listPorts(config: Config): PortUse[] {
  return [
    { setting: 'PORT', port: config.PORT, hosts: config.listenHosts },
    ...listMetricsPorts(config).map((port) => ({ setting: 'METRICS_PORT', port, hosts: config.listenHosts })),
    ...(config.DATABASE_URL === undefined
      ? [{ setting: 'POSTGRES_PORT', port: config.POSTGRES_PORT, hosts: ipv4Only }]
      : []),
    ...(config.TEMPORAL_ADDRESS === undefined
      ? [
          { setting: 'TEMPORAL_PORT', port: config.TEMPORAL_PORT, hosts: ipv4Only },
          { setting: 'TEMPORAL_UI_PORT', port: config.TEMPORAL_UI_PORT, hosts: loopbackHosts },
        ]
      : []),
  ]
}

/** Describes the first port that cannot be used, and the setting to change; undefined if all ports are free. */
export async function findPortProblem(uses: PortUse[]): Promise<string | undefined> {
  for (const [index, { setting, port, hosts }] of uses.entries()) {
    const duplicate = uses.slice(0, index).find((other) => other.port === port)
    if (duplicate) return `${setting} and ${duplicate.setting} are both ${port}: set one of them to another port.`
    const error = await tryListen(port, hosts)
    if (error?.code === 'EADDRINUSE')
      return `Port ${port} is in use by another program: stop that program, or set ${setting} to another port.`
    if (error)
      return `Cannot listen on ${error.address ?? hosts[0]}:${port} (${error.code ?? error.message}): set ${setting} to another port.`
  }
  return undefined
}

export async function requirePorts(uses: PortUse[]): Promise<void> {
  const problem = await findPortProblem(uses)
  if (problem) throw new CommandRefusedError(problem)
}

/** Returns consecutive ports from METRICS_PORT on; without this setting, a free port for the API. */
export async function chooseMetricsPorts(config: Config): Promise<MetricsPorts> {
  const [api = await freePort(), worker, spare] = listMetricsPorts(config)
  return { api, worker, 'worker-2': spare }
}

/** Returns the metrics ports of the API, the worker and, if there is one, the spare worker. */
function listMetricsPorts({ METRICS_PORT: first, SPARE_WORKER: hasSpare }: Config): number[] {
  return first === undefined ? [] : [first, first + 1, ...(hasSpare ? [first + 2] : [])]
}

// Below the ephemeral port range, whose ports an outgoing connection could take before the listener does.
const minFreePort = 10_000
const maxFreePort = 29_999

/** Returns a port without a listener, outside the ephemeral port range. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(minFreePort, maxFreePort + 1)
    if ((await tryListen(port, loopbackHosts)) === undefined) return port
  }
}

type ListenError = NodeJS.ErrnoException & { address?: string }

/** Returns the error of listening on a port; undefined if it succeeds. */
async function tryListen(port: number, hosts: Hosts): Promise<ListenError | undefined> {
  const listeners = createListeners(createServer(), { hosts })
  try {
    await listeners.listen(port)
    await listeners.close()
    return undefined
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
