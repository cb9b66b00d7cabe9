import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { admitNextRun, readAdmissionState, type AdmissionState } from '../../db/runs/admission.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { ProcessLock } from '../../db/postgres/process-lock.ts'
import { classifyIdleShare, classifyTimerDelay, maxSlotsPerAccount, nextSlotCount } from '../../domain/runs/slots.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import type { Engine } from '../../engine/client.ts'
import { measureLoad } from './load.ts'

type Deps = {
  db: Pool
  engine: Pick<Engine, 'startTurn'>
  lock: Pick<ProcessLock, 'processId' | 'held'>
  log: Logger
  settings: { plans: PlanRules }
  /** Bounds of the headless runs that this process admits; `min` applies under any load. */
  slots: { max: number; min: number | undefined }
}

/** Interval between checks for a free slot while runs wait. */
const tickIntervalMs = 100
/** Interval at which the number of slots is adjusted to the load. A run affects the load only some time after its admission. */
const adjustIntervalMs = 500

/**
 * Admits headless runs, which wait as rows. Accounts share the slots by the weight of their plans, and no account gets all
 * slots. The number of slots adapts to the load, so that runs do not delay other work of this process. Until its first
 * step, a run also occupies a start slot, because the timers of this process do not measure the CPU time that its workflow
 * and its sandbox use in Temporal, Postgres and the sandboxes. A run that waits for its model uses almost no CPU time.
 */
export function admitRuns(deps: Deps): {
  /** Notifies the admission loop that a run waits. */
  wake: () => void
  close(): Promise<void>
} {
  const { db, engine, lock, log } = deps
  const { max } = deps.slots
  const processors = availableParallelism()
  const bounds = { min: Math.min(deps.slots.min ?? processors + 1, max), max }
  const startBounds = { min: Math.min(deps.slots.min ?? processors, max), max }
  const { enterpriseDomains } = deps.settings.plans
  const closing = new AbortController()
  const load = measureLoad()
  let slots = bounds.min
  let startSlots = startBounds.min
  let adjustedAt = performance.now()
  let isIdle = true
  let wakeUp = new AbortController()

  /** Reduces the limits after an idle time, so that the next burst starts small. */
  const reduceLimits = ({ held, starting }: AdmissionState): void => {
    const unused = { isWaiting: false, load: 'calm' } as const
    slots = nextSlotCount(slots, { held, ...unused }, bounds)
    startSlots = nextSlotCount(startSlots, { held: starting, ...unused }, startBounds)
  }
  const adjust = ({ held, starting, waiting: isWaiting }: AdmissionState): void => {
    if (performance.now() - adjustedAt < adjustIntervalMs) return
    adjustedAt = performance.now()
    const { delayMs, idleShare } = load.take()
    const [runLoad, startLoad] = [classifyTimerDelay(delayMs), classifyIdleShare(idleShare)]
    slots = nextSlotCount(slots, { held, isWaiting, load: runLoad }, bounds)
    startSlots = nextSlotCount(startSlots, { held: starting, isWaiting, load: startLoad }, startBounds)
  }

  /** Admits waiting runs to the free slots. Returns false if no run waits. */
  const admitWaiting = async (): Promise<boolean> => {
    if (!lock.held()) return false
    const state = await readAdmissionState(db, lock.processId)
    if (isIdle) reduceLimits(state)
    else adjust(state)
    isIdle = !state.waiting
    if (isIdle) return false
    const accountLimits = { held: maxSlotsPerAccount(slots), starting: maxSlotsPerAccount(startSlots) }
    const claim = { holder: lock.processId, accountLimits, enterpriseDomains }
    const freeSlots = Math.min(slots - state.held, startSlots - state.starting)
    for (let admitted = 0; admitted < freeSlots && !closing.signal.aborted; admitted++) {
      const run = await admitNextRun(db, claim)
      if (run === undefined) break
      const { id: runId, ...options } = run
      engine
        .startTurn(runId, { ...options, headless: true })
        .catch((err: unknown) => log.warn({ err, runId }, 'failed to start an admitted run; a sweep starts it'))
    }
    return true
  }

  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      wakeUp = new AbortController()
      const hasWaiting = await admitWaiting().catch((err: unknown) => {
        log.warn({ err }, 'failed to check for runs that wait for a slot')
        return false
      })
      const signal = AbortSignal.any([closing.signal, wakeUp.signal])
      await (hasWaiting ? setTimeout(tickIntervalMs, undefined, { signal }).catch(() => {}) : waitForAbort(signal))
    }
  }
  const running = loop()
  return {
    wake: () => wakeUp.abort(),
    close: async () => {
      closing.abort()
      await running
      load.close()
    },
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
