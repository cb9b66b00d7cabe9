import { Transform } from 'node:stream'

/** Limits of one sandbox, unless noted otherwise. */
export type NetworkLimits = {
  connections: number
  /** Maximum connections of all sandboxes of this process. Each uses two descriptors. */
  allConnections: number
  /** Bytes per minute in both directions together. Faster transfers are delayed. */
  bytesPerMinute: number
  /** Milliseconds without a byte after which a connection ends. */
  idleTimeoutMs: number
}

export const defaultNetworkLimits: NetworkLimits = {
  connections: 128,
  allConnections: 4096,
  bytesPerMinute: 2 * 1024 ** 3,
  idleTimeoutMs: 5 * 60 * 1000,
}

const minute = 60_000

/** Network allowance that all commands of one sandbox share. */
export type Meter = {
  readonly idleTimeoutMs: number
  /** Reserves a connection. False when the sandbox or the process has reached its limit. */
  enter(): boolean
  leave(): void
  /** Creates a stream that passes bytes at the rate of the sandbox. */
  pace(): Transform
}

type Count = { open: number }

/** Provides the meter of each sandbox while any of its commands may use the network. */
export function createMeters(limits: NetworkLimits) {
  const meters = new Map<string, { meter: Meter; users: number }>()
  const everywhere: Count = { open: 0 }
  return {
    take: (sandbox: string): Meter => {
      const known = meters.get(sandbox) ?? { meter: createMeter(limits, everywhere), users: 0 }
      known.users++
      meters.set(sandbox, known)
      return known.meter
    },
    give: (sandbox: string): void => {
      const known = meters.get(sandbox)
      if (known !== undefined && --known.users === 0) meters.delete(sandbox)
    },
  }
}

function createMeter(
  { connections, allConnections, bytesPerMinute, idleTimeoutMs }: NetworkLimits,
  everywhere: Count,
): Meter {
  let open = 0
  // A token bucket of one minute's bytes, represented by the time at which it is full again.
  let fullAt = 0
  const waitFor = (bytes: number): number => {
    const now = Date.now()
    fullAt = Math.max(now, fullAt) + (bytes / bytesPerMinute) * minute
    return Math.max(0, fullAt - now - minute)
  }
  return {
    idleTimeoutMs,
    enter: () => {
      if (open >= connections || everywhere.open >= allConnections) return false
      open++
      everywhere.open++
      return true
    },
    leave: () => {
      open--
      everywhere.open--
    },
    pace: () =>
      new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          const wait = waitFor(chunk.length)
          if (wait === 0) done(null, chunk)
          else setTimeout(() => done(null, chunk), wait).unref()
        },
      }),
  }
}
