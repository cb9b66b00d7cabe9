import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { ActivitySlotInfo, CustomSlotSupplier } from '@temporalio/worker'
import { classifyWorkerLoad, defaultActivitySlots, nextSlotCount } from '../../domain/runs/slots.ts'
import { measureLoad } from './load.ts'

const adjustIntervalMs = 500

/** Share of the slots that remains under any load, so that activities that free memory can still start. */
const minShare = 1 / 8

type Load = { take(): { delayMs: number; memoryShare: number }; close(): void }
export type ActivitySlots = CustomSlotSupplier<ActivitySlotInfo> & { close(): void }

/**
 * Creates the activity slots of a worker. Their number is at most `max`, and lower while the event loop lags or memory is
 * scarce. Activities without a slot wait in the task queue.
 */
export function createActivitySlots(max: number, load: Load = measureProcess()): ActivitySlots {
  const bounds = { min: Math.ceil(max * minShare), max }
  const waiting = new Set<() => void>()
  let slots = max
  let held = 0

  const fill = (): void => {
    for (const grant of waiting) {
      if (held >= slots) return
      grant()
    }
  }
  const adjust = (): void => {
    const level = classifyWorkerLoad(load.take())
    // Under load, the limit falls below the number of slots in use, not only below the current limit.
    const base = level === 'busy' ? Math.min(slots, held) : slots
    slots = nextSlotCount(base, { held, isWaiting: true, load: level }, bounds)
    fill()
  }
  const timer = setInterval(adjust, adjustIntervalMs).unref()

  return {
    type: 'custom',
    reserveSlot: (_, abortSignal) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          waiting.delete(grant)
          reject(abortSignal.reason as Error)
        }
        const grant = (): void => {
          waiting.delete(grant)
          abortSignal.removeEventListener('abort', abort)
          held++
          resolve({})
        }
        if (abortSignal.aborted) return abort()
        abortSignal.addEventListener('abort', abort, { once: true })
        waiting.add(grant)
        fill()
      }),
    tryReserveSlot: () => {
      if (held >= slots || waiting.size > 0) return null
      held++
      return {}
    },
    markSlotUsed: () => {},
    releaseSlot: () => {
      held--
      fill()
    },
    close: () => {
      clearInterval(timer)
      load.close()
    },
  }
}

/** Returns the memory limit of this process in bytes: the limit of its container, or the memory of the machine. */
function readMemoryLimit(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

export function maxConcurrentActivities({
  MAX_CONCURRENT_ACTIVITIES: limit,
}: {
  MAX_CONCURRENT_ACTIVITIES?: number | undefined
}): number {
  return limit ?? defaultActivitySlots(readMemoryLimit())
}

function measureProcess(): Load {
  const load = measureLoad()
  const bytes = readMemoryLimit()
  return {
    take: () => {
      const { used_heap_size: heap, heap_size_limit: heapLimit } = getHeapStatistics()
      return {
        delayMs: load.take().delayMs,
        memoryShare: Math.max(heap / heapLimit, process.memoryUsage.rss() / bytes),
      }
    },
    close: () => load.close(),
  }
}
