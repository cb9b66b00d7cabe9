import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'
import { Refusal } from '../say.ts'

export type PortUse = { setting: string; port: number; host: string }

/** The ports that a start with these settings listens on. */
export function portsOf(config: Config): PortUse[] {
  return [
    { setting: 'PORT', port: config.PORT, host: config.HOST },
    ...(config.DATABASE_URL === undefined
      ? [{ setting: 'POSTGRES_PORT', port: config.POSTGRES_PORT, host: '127.0.0.1' }]
      : []),
    ...(config.TEMPORAL_ADDRESS === undefined
      ? [
          { setting: 'TEMPORAL_PORT', port: config.TEMPORAL_PORT, host: '127.0.0.1' },
          { setting: 'TEMPORAL_UI_PORT', port: config.TEMPORAL_UI_PORT, host: '127.0.0.1' },
        ]
      : []),
  ]
}

/** One sentence for the first port that cannot be had; it names the setting that moves it. */
export async function findPortFault(uses: PortUse[]): Promise<string | undefined> {
  for (const [index, { setting, port, host }] of uses.entries()) {
    const duplicate = uses.slice(0, index).find((other) => other.port === port)
    if (duplicate) return `${setting} and ${duplicate.setting} are both ${port}: give each a port of its own.`
    const fault = await portFault(port, host)
    if (fault === 'EADDRINUSE')
      return `Port ${port} is taken by another program: free it, or set ${setting} to another port.`
    if (fault) return `Cannot listen on ${host}:${port} (${fault}): set ${setting} to another port.`
  }
  return undefined
}

export async function requirePorts(uses: PortUse[]): Promise<void> {
  const fault = await findPortFault(uses)
  if (fault) throw new Refusal(fault)
}

// Below what systems give to outgoing connections: one of those could take the port before its listener does.
const lowestFreePort = 10_000
const highestFreePort = 29_999

/** A port that nobody listens on right now, and that the system gives to nobody by itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowestFreePort, highestFreePort + 1)
    if ((await portFault(port, '127.0.0.1')) === undefined) return port
  }
}

/** Undefined when the port can be listened on, else the reason. */
function portFault(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
