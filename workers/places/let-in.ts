import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { claimPlace, readPlaces, type Placed } from '../../db/runs/places.ts'
import type { Pool } from '../../db/postgres/client.ts'
import type { ProcessLock } from '../../db/postgres/process-lock.ts'
import { busyByIdleShare, busyByLateness, nextPlaces, placesOfAccount } from '../../domain/runs/places.ts'
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
  places: { max: number; min: number | undefined }
}

/** Interval between checks for a free place while runs wait. */
const tickMs = 100
/**
 * Interval at which the number of places follows the load. The load of a run becomes visible some time after its
 * admission.
 */
const adjustMs = 500
/** Maximum delay after a lost wake-up. */
const idleMs = 5000

/**
 * Admits headless runs, which wait as rows. Accounts take turns by the weight of their plan, and none takes all places.
 * There are as many places as this process can serve without delaying other work. Until its first step, a run also takes
 * a place among the starts: its workflow and sandbox use CPU time here and in Temporal, Postgres and the sandboxes, which the
 * timers of this process do not measure. A run that waits for its model uses almost none.
 */
export function admitRuns(deps: Deps): {
  /** Reports that a run waits. */
  wake(): void
  close(): Promise<void>
} {
  const { db, engine, lock, log } = deps
  const { max } = deps.places
  const processors = availableParallelism()
  const bounds = { min: Math.min(deps.places.min ?? processors + 1, max), max }
  const startBounds = { min: Math.min(deps.places.min ?? processors, max), max }
  const { enterpriseDomains } = deps.settings.plans
  const closing = new AbortController()
  const load = measureLoad()
  let places = bounds.min
  let starts = startBounds.min
  let adjustedAt = performance.now()
  let woken = new AbortController()

  const adjust = ({ held, starting, waiting }: Placed): void => {
    if (performance.now() - adjustedAt < adjustMs) return
    adjustedAt = performance.now()
    const { lateMs, idleShare } = load.take()
    places = nextPlaces(places, { held, waiting, busy: busyByLateness(lateMs) }, bounds)
    starts = nextPlaces(starts, { held: starting, waiting, busy: busyByIdleShare(idleShare) }, startBounds)
  }

  /** Fills the free places. Returns false when no run waits. */
  const fill = async (): Promise<boolean> => {
    if (!lock.held()) return false
    const placed = await readPlaces(db, lock.processId)
    adjust(placed)
    if (!placed.waiting) return false
    const accountLimits = { held: placesOfAccount(places), starting: placesOfAccount(starts) }
    const claim = { holder: lock.processId, accountLimits, enterpriseDomains }
    const free = Math.min(places - placed.held, starts - placed.starting)
    for (let taken = 0; taken < free && !closing.signal.aborted; taken++) {
      const run = await claimPlace(db, claim)
      if (run === undefined) break
      const { id: runId, ...options } = run
      engine.startTurn(runId, { ...options, headless: true }).catch((err: unknown) =>
        // The sweep of queued runs starts the run later.
        log.warn({ err, runId }, 'a run has its place and was not started'),
      )
    }
    return true
  }

  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      woken = new AbortController()
      const waits = await fill().catch((err: unknown) => {
        log.warn({ err }, 'could not look for runs that wait for a place')
        return false
      })
      const signal = AbortSignal.any([closing.signal, woken.signal])
      await setTimeout(waits ? tickMs : idleMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = loop()
  return {
    wake: () => woken.abort(),
    close: async () => {
      closing.abort()
      await running
      load.close()
    },
  }
}
