import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createRate, type ProcessFigures, type WorkFigures } from '../../domain/operator/figures.ts'
import type { Member } from '../../domain/operator/fleet.ts'
import type { Pool } from '../postgres/client.ts'
import { announceFleetChange } from './fleet.ts'
import { deleteReport, saveReport, type ProcessPart } from './reports.ts'

const intervalMs = 5000
const delayResolutionMs = 50

type ReporterOptions = {
  db: Pool
  processId: number
  part: ProcessPart
  machineId: string
  /** Address at which a worker serves the sandboxes of its machine. */
  sandboxAddress?: string | undefined
  build: string
  /** Returns the current metrics of this process. */
  read: () => Promise<WorkFigures>
  /** Receives the other members of the fleet after each report. */
  onMembers?: (others: Member[]) => void
  log: { warn(details: object, message: string): void }
}

/**
 * Reports the state of this process regularly and deletes its report on close. Notifies the fleet of its start and its end.
 * `first` resolves after the first report, even if the report fails.
 */
export function startReporter({
  db,
  processId,
  part,
  machineId,
  sandboxAddress,
  build,
  read,
  onMembers,
  log,
}: ReporterOptions): {
  first: Promise<void>
  /** Reports immediately and notifies the fleet of the change. */
  reportNow: () => Promise<void>
  close(): Promise<void>
} {
  const meter = measureProcess()
  const identity = {
    processId,
    part,
    machineId,
    sandboxAddress,
    build,
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(),
  }
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isFailing = false
  let isAnnounced = false
  const report = async (): Promise<void> => {
    try {
      const others = await saveReport(db, { ...identity, figures: { ...meter.read(), ...(await read()) } })
      onMembers?.(others)
      if (!isAnnounced) await announceFleetChange(db)
      isAnnounced = true
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'failed to report the state of this process; the report is retried')
      isFailing = true
    }
    if (!isClosed) timer = setTimeout(reportAgain, intervalMs)
  }
  const reportAgain = (): void => {
    running = report()
  }
  let running = report()
  return {
    first: running,
    reportNow: async () => {
      clearTimeout(timer)
      await running
      clearTimeout(timer)
      isAnnounced = false
      reportAgain()
      await running
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      meter.close()
      await running
      await deleteReport(db, processId)
        .then(() => announceFleetChange(db))
        .catch(() => {})
    },
  }
}

function measureProcess(): { read(): ProcessFigures; close(): void } {
  const delays = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delays.enable()
  const usedPerSecond = createRate(() => performance.now())
  return {
    read: () => {
      const { user, system } = process.cpuUsage()
      const meanMs = Number.isNaN(delays.mean) ? 0 : delays.mean / 1e6 - delayResolutionMs
      delays.reset()
      return {
        memoryBytes: process.memoryUsage.rss(),
        processorShare: usedPerSecond((user + system) / 1e6),
        eventLoopDelayMs: Math.max(0, meanMs),
      }
    },
    close: () => delays.disable(),
  }
}
