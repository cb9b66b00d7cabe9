import { cpus } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10

/** Measures the load of this process and its machine. */
export function measureLoad(): {
  /**
   * Returns the mean delay of this process's timers in milliseconds, and the share of CPU time, 0 to 1, that was idle or used
   * by niced commands, which yield to all other processes. Both are measured since the last call.
   */
  take(): { delayMs: number; idleShare: number }
  close(): void
} {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  let last = readProcessors()
  const takeDelay = (): number => {
    const { mean } = delays
    delays.reset()
    // The mean is NaN when no timer fired.
    return Number.isNaN(mean) ? Number.POSITIVE_INFINITY : Math.max(0, mean / 1e6 - resolutionMs)
  }
  const takeIdleShare = (): number => {
    const before = last
    last = readProcessors()
    const total = last.total - before.total
    // Where the system does not report CPU time, only the timer delay counts.
    return total > 0 ? (last.idle - before.idle) / total : 1
  }
  return {
    take: () => ({ delayMs: takeDelay(), idleShare: takeIdleShare() }),
    close: () => void delays.disable(),
  }
}

/** Returns the total and the idle time of all processors since boot, in milliseconds. */
function readProcessors(): { total: number; idle: number } {
  let [total, idle] = [0, 0]
  for (const { times } of cpus()) {
    idle += times.idle + times.nice
    total += times.idle + times.nice + times.user + times.sys + times.irq
  }
  return { total, idle }
}
