import { Transform } from 'node:stream'

/** Of one sandbox. */
export type NetworkLimits = {
  connections: number
  /** Both directions together; what comes faster waits. */
  bytesPerMinute: number
  /** Milliseconds without a byte after which a connection ends. */
  idleMs: number
}

export const defaultNetworkLimits: NetworkLimits = {
  connections: 128,
  bytesPerMinute: 2 * 1024 ** 3,
  idleMs: 5 * 60 * 1000,
}

const minute = 60_000

/** The shared allowance of everything that runs in one sandbox. */
export type Meter = {
  readonly idleMs: number
  /** False when the sandbox has all the connections that it may have. */
  enter(): boolean
  leave(): void
  /** A stream that lets bytes through at the sandbox's pace. */
  pace(): Transform
}

const createMeter = ({ connections, bytesPerMinute, idleMs }: NetworkLimits): Meter => {
  let open = 0
  // A bucket of one minute's bytes, told by the time at which it would be full again.
  let fullAt = 0
  const waitFor = (bytes: number): number => {
    const now = Date.now()
    fullAt = Math.max(now, fullAt) + (bytes / bytesPerMinute) * minute
    return Math.max(0, fullAt - now - minute)
  }
  return {
    idleMs,
    enter: () => {
      if (open >= connections) return false
      open++
      return true
    },
    leave: () => {
      open--
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

/** The meter of each sandbox, as long as anything in it may use the network. */
export const createMeters = (limits: NetworkLimits) => {
  const meters = new Map<string, { meter: Meter; users: number }>()
  return {
    take: (sandbox: string): Meter => {
      const known = meters.get(sandbox) ?? { meter: createMeter(limits), users: 0 }
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
