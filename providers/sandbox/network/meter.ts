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

const minuteMs = 60_000

/** Network allowance that all commands of one sandbox share. */
export type Meter = {
  readonly idleTimeoutMs: number
  /** Reserves a connection. False when the sandbox or the process has reached its limit. */
  enter(): boolean
  leave(): void
  /** Creates a stream that delays bytes to enforce the rate limit of the sandbox. */
  pace(): Transform
}

type Count = { open: number }

/** Creates the meters of the sandboxes. A meter exists while commands of its sandbox may use the network. */
export function createMeters(limits: NetworkLimits) {
  const meters = new Map<string, { meter: Meter; users: number }>()
  const processTotal: Count = { open: 0 }
  return {
    acquire: (sandbox: string): Meter => {
      const entry = meters.get(sandbox) ?? { meter: createMeter(limits, processTotal), users: 0 }
      entry.users++
      meters.set(sandbox, entry)
      return entry.meter
    },
    release: (sandbox: string): void => {
      const entry = meters.get(sandbox)
      if (entry !== undefined && --entry.users === 0) meters.delete(sandbox)
    },
  }
}

function createMeter(
  { connections, allConnections, bytesPerMinute, idleTimeoutMs }: NetworkLimits,
  processTotal: Count,
): Meter {
  let open = 0
  // A token bucket with the bytes of one minute, represented by the time at which it is full again.
  let fullAt = 0
  const reserveBytes = (bytes: number): number => {
    const now = Date.now()
    fullAt = Math.max(now, fullAt) + (bytes / bytesPerMinute) * minuteMs
    return Math.max(0, fullAt - now - minuteMs)
  }
  return {
    idleTimeoutMs,
    enter: () => {
      if (open >= connections || processTotal.open >= allConnections) return false
      open++
      processTotal.open++
      return true
    },
    leave: () => {
      open--
      processTotal.open--
    },
    pace: () =>
      new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          const wait = reserveBytes(chunk.length)
          if (wait === 0) done(null, chunk)
          else setTimeout(() => done(null, chunk), wait).unref()
        },
      }),
  }
}
