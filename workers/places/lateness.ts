import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10

/** Measures how late the timers of this process are. */
export function measureLateness(): {
  /** Mean lateness since the last call, in milliseconds. */
  take(): number
  close(): void
} {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  return {
    take: () => {
      const { mean } = delays
      delays.reset()
      // No sample: not even one timer was served.
      return Number.isNaN(mean) ? Number.POSITIVE_INFINITY : Math.max(0, mean / 1e6 - resolutionMs)
    },
    close: () => void delays.disable(),
  }
}
