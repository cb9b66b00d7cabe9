import { Transform } from 'node:stream'

/** Of one sandbox, but for what says otherwise. */
export type NetworkLimits = {
  connections: number
  /** Of all sandboxes of this process: each costs it two descriptors. */
  allConnections: number
  /** Both directions together; what comes faster waits. */
  bytesPerMinute: number
  /** Milliseconds without a byte after which a connection ends. */
  idleMs: number
}

export const defaultNetworkLimits: NetworkLimits = {
  connections: 128,
  allConnections: 4096,
  bytesPerMinute: 2 * 1024 ** 3,
  idleMs: 5 * 60 * 1000,
}

const minute = 60_000

/** The shared allowance of everything that runs in one sandbox. */
export type Meter = {
  readonly idleMs: number
  /** False when the sandbox, or all together, have all the connections that they may have. */
  enter(): boolean
  leave(): void
  /** A stream that lets bytes through at the sandbox's pace. */
  pace(): Transform
}

type Count = { open: number }

/** The meter of each sandbox, as long as anything in it may use the network. */
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

function createMeter({ connections, allConnections, bytesPerMinute, idleMs }: NetworkLimits, everywhere: Count): Meter {
  let open = 0
  // A token bucket of one minute's bytes, represented by the time at which it is full again.
  let fullAt = 0
  const waitFor = (bytes: number): number => {
    const now = Date.now()
    fullAt = Math.max(now, fullAt) + (bytes / bytesPerMinute) * minute
    return Math.max(0, fullAt - now - minute)
  }
  return {
    idleMs,
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
