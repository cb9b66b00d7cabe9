import { cpus } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10

/** Measures how busy this process and its machine are. */
export function measureLoad(): {
  /**
   * Since the last call: mean lateness of the timers of this process, in milliseconds, and the share of the time of the
   * processors, 0 to 1, in which they were idle or ran niced commands, which yield to everything else.
   */
  take(): { lateMs: number; idleShare: number }
  close(): void
} {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  let last = readProcessors()
  const takeLateness = (): number => {
    const { mean } = delays
    delays.reset()
    // No sample: not even one timer was served.
    return Number.isNaN(mean) ? Number.POSITIVE_INFINITY : Math.max(0, mean / 1e6 - resolutionMs)
  }
  const takeIdleShare = (): number => {
    const before = last
    last = readProcessors()
    const total = last.total - before.total
    // Where the system hides its processors, lateness alone counts.
    return total > 0 ? (last.left - before.left) / total : 1
  }
  return {
    take: () => ({ lateMs: takeLateness(), idleShare: takeIdleShare() }),
    close: () => void delays.disable(),
  }
}

/** Time of all processors since they began, in milliseconds. */
function readProcessors(): { total: number; left: number } {
  let [total, left] = [0, 0]
  for (const { times } of cpus()) {
    left += times.idle + times.nice
    total += times.idle + times.nice + times.user + times.sys + times.irq
  }
  return { total, left }
}
