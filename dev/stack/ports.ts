import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import { createListeners } from '../../api/http/listeners.ts'
import { loopbackHosts, type Config } from '../../config.ts'
import { CommandRefusedError } from '../say.ts'

type Hosts = readonly [string, ...string[]]

/** Ports on which processes serve metrics. */
export type MetricsPorts = { api: number; worker?: number | undefined; 'worker-2'?: number | undefined }

/** A machine may lack all but the first host. */
export type PortUse = { setting: string; port: number; hosts: Hosts }

const ipv4Only: Hosts = ['127.0.0.1']

/** The ports that a start with these settings listens on. */
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

/** One sentence for the first port that cannot be had; it names the setting that moves it. */
export async function findPortFault(uses: PortUse[]): Promise<string | undefined> {
  for (const [index, { setting, port, hosts }] of uses.entries()) {
    const duplicate = uses.slice(0, index).find((other) => other.port === port)
    if (duplicate) return `${setting} and ${duplicate.setting} are both ${port}: give each a port of its own.`
    const fault = await portFault(port, hosts)
    if (fault?.code === 'EADDRINUSE')
      return `Port ${port} is taken by another program: free it, or set ${setting} to another port.`
    if (fault)
      return `Cannot listen on ${fault.address ?? hosts[0]}:${port} (${fault.code ?? fault.message}): set ${setting} to another port.`
  }
  return undefined
}

export async function requirePorts(uses: PortUse[]): Promise<void> {
  const fault = await findPortFault(uses)
  if (fault) throw new CommandRefusedError(fault)
}

/** The ports of METRICS_PORT; without it, a free port for the API. */
export async function chooseMetricsPorts(config: Config): Promise<MetricsPorts> {
  const [api = await freePort(), worker, spare] = listMetricsPorts(config)
  return { api, worker, 'worker-2': spare }
}

/** Ports of the API, the worker and, if there is one, the spare worker. */
function listMetricsPorts({ METRICS_PORT: first, SPARE_WORKER: hasSpare }: Config): number[] {
  return first === undefined ? [] : [first, first + 1, ...(hasSpare ? [first + 2] : [])]
}

// Below what systems give to outgoing connections: one of those could take the port before its listener does.
const lowestFreePort = 10_000
const highestFreePort = 29_999

/** A port without a listener right now, which the system gives to no connection on its own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowestFreePort, highestFreePort + 1)
    if ((await portFault(port, loopbackHosts)) === undefined) return port
  }
}

type ListenError = NodeJS.ErrnoException & { address?: string }

/** Undefined when the port can be listened on, else the reason. */
async function portFault(port: number, hosts: Hosts): Promise<ListenError | undefined> {
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
