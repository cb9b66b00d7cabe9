import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { ActivitySlotInfo, CustomSlotSupplier } from '@temporalio/worker'
import { activitiesIn, busyByStall, nextPlaces } from '../../domain/runs/places.ts'
import { measureLoad } from './load.ts'

const adjustMs = 500

/** Share of the places that remain under any load, so that activities which free memory can still start. */
const minShare = 1 / 8

type Load = { take(): { lateMs: number; memoryShare: number }; close(): void }
export type Places = CustomSlotSupplier<ActivitySlotInfo> & { close(): void }

/**
 * The activity places of a worker, at most `max`. There are fewer while the event loop is late or memory is scarce;
 * activities without a place wait in the task queue.
 */
export function createPlaces(max: number, load: Load = measureProcess()): Places {
  const bounds = { min: Math.ceil(max * minShare), max }
  const waiting = new Set<() => void>()
  let places = max
  let held = 0

  const fill = (): void => {
    for (const grant of waiting) {
      if (held >= places) return
      grant()
    }
  }
  const adjust = (): void => {
    const busy = busyByStall(load.take())
    // Under load, reduces below the number of places in use, not only below the current limit.
    places = nextPlaces(busy === 'busy' ? Math.min(places, held) : places, { held, waiting: true, busy }, bounds)
    fill()
  }
  const clock = setInterval(adjust, adjustMs).unref()

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
      if (held >= places || waiting.size > 0) return null
      held++
      return {}
    },
    markSlotUsed: () => {},
    releaseSlot: () => {
      held--
      fill()
    },
    close: () => {
      clearInterval(clock)
      load.close()
    },
  }
}

/** Memory limit of this process in bytes: that of its container, or of the machine. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

export function maxConcurrentActivities({
  MAX_CONCURRENT_ACTIVITIES: atOnce,
}: {
  MAX_CONCURRENT_ACTIVITIES?: number | undefined
}): number {
  return atOnce ?? activitiesIn(memoryBytes())
}

function measureProcess(): Load {
  const load = measureLoad()
  const bytes = memoryBytes()
  return {
    take: () => {
      const { used_heap_size: heap, heap_size_limit: heapLimit } = getHeapStatistics()
      return { lateMs: load.take().lateMs, memoryShare: Math.max(heap / heapLimit, process.memoryUsage.rss() / bytes) }
    },
    close: () => load.close(),
  }
}
