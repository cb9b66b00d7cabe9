import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../../config.ts'
import type { JsonObject } from '../../../domain/connectors/connector.ts'
import { createFairQueue } from '../../http/limits/fair-queue.ts'
import { createPool } from '../../http/limits/shares.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import type { Verdict } from './validate.ts'

const isSource = import.meta.url.endsWith('.ts')
const threadPath = fileURLToPath(new URL(isSource ? './thread.mjs' : './connector-thread.js', import.meta.url))

const heapMegabytes = 128
const cpuTimeLimitMs = 100
/** Time limit of a validation, regardless of the CPU time that it has used. */
const wallClockLimitMs = 2000
const pollIntervalMs = 20
const maxWaiting = 200

export type SchemaChecker = {
  /**
   * Validates against a third party's schema. `timeout`: the validation used more than 100 ms of CPU time and was terminated.
   * Validations are scheduled round-robin across holders. Throws 503 when the queue is full, and 429 when `holder` has used its
   * share of the queue.
   */
  check(holder: string, schema: JsonObject, parameters: JsonObject): Promise<Verdict | 'timeout'>
  close(): Promise<void>
}

export type CheckerOptions = { config: Pick<Config, 'LIMIT_SHARE_PERCENT'>; metrics: Pick<Metrics, 'refusals'> }

/** Runs one validation at a time in a thread. The thread is replaced after a validation that takes too long. */
export function createSchemaChecker({ config, metrics }: CheckerOptions): SchemaChecker {
  const bounds = { name: 'validations', max: maxWaiting, sharePercent: config.LIMIT_SHARE_PERCENT }
  const queue = createFairQueue({ concurrency: 1, pool: createPool({ ...bounds, refusals: metrics.refusals }) })
  let thread: Promise<Worker> | undefined
  let isClosed = false

  const run = async (schema: JsonObject, parameters: JsonObject): Promise<Verdict | 'timeout'> => {
    if (isClosed) throw new Error('the checker is closed')
    const worker = await (thread ??= start())
    const verdict = await runValidation(worker, {
      schema: JSON.stringify(schema),
      parameters: JSON.stringify(parameters),
    })
    if (verdict === 'timeout') {
      thread = undefined
      await worker.terminate()
    }
    return verdict
  }

  const start = async (): Promise<Worker> => {
    const worker = new Worker(threadPath, { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } })
    worker.unref()
    // Prevents an uncaught error when the thread fails, for example out of memory. The `exit` handler replaces the thread.
    worker.on('error', () => {})
    worker.once('exit', () => {
      thread = undefined
    })
    await waitForVerdict(worker)
    return worker
  }

  return {
    check: (holder, schema, parameters) => queue.run(holder, () => run(schema, parameters)),
    close: async () => {
      isClosed = true
      await (await thread?.catch(() => undefined))?.terminate()
    },
  }
}

async function runValidation(worker: Worker, request: object): Promise<Verdict | 'timeout'> {
  const timeLimit = new AbortController()
  try {
    const verdict = waitForVerdict(worker)
    worker.postMessage(request, [])
    return await Promise.race([verdict, waitForTimeLimit(timeLimit.signal)])
  } catch {
    return 'timeout'
  } finally {
    timeLimit.abort()
  }
}

/**
 * Resolves when the validation has used up its time. Counts the CPU time of the process minus that of this thread instead of
 * the elapsed time, so that a validation does not time out because the machine is busy.
 */
async function waitForTimeLimit(signal: AbortSignal): Promise<'timeout'> {
  const startedAt = performance.now()
  const used = process.cpuUsage()
  const loopUsage = performance.eventLoopUtilization()
  const spentMs = (): number => {
    const { user, system } = process.cpuUsage(used)
    return (user + system) / 1000 - performance.eventLoopUtilization(loopUsage).active
  }
  for (let wait = cpuTimeLimitMs; ; wait = pollIntervalMs) {
    await pause(wait, undefined, { signal })
    if (spentMs() >= cpuTimeLimitMs || performance.now() - startedAt >= wallClockLimitMs) return 'timeout'
  }
}

function waitForVerdict(worker: Worker): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
      act()
    }
    const onEnd = (): void => settle(() => reject(new Error('the thread has ended')))()
    const onMessage = (verdict: Verdict): void => settle(() => resolve(verdict))()
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
  })
}
