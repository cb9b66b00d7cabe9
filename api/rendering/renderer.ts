import { fileURLToPath } from 'node:url'
import { pool } from 'workerpool'
import type { Config } from '../../config.ts'
import type { MailSource, RenderedMail } from '../../domain/mail/render.ts'
import type { ParsedMessage } from '../../providers/mail/read-message.ts'
import { unavailable } from '../http/failures.ts'
import { createFairQueue } from '../http/limits/fair-queue.ts'
import { createPool } from '../http/limits/shares.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { SharedPage } from './shared-chat.ts'

const threadFile = import.meta.url.endsWith('.ts') ? './thread.mjs' : './render-thread.js'
const threadPath = fileURLToPath(new URL(threadFile, import.meta.url))

const maxThreads = 2
const maxWaiting = 200
const heapMegabytes = 256
/** Time limit in milliseconds, after which a rendering thread is terminated. */
export const renderTimeoutMs = 30_000

/**
 * Renders untrusted text in threads, so that the process can serve other requests. `holder`: the account that owns the
 * text. Throws 503 on timeout or when the queue is full, and 429 when `holder` has used its share of the queue.
 */
export type Renderer = {
  mail(holder: string, source: MailSource): Promise<RenderedMail>
  message(holder: string, raw: Uint8Array): Promise<ParsedMessage>
  sharedPage(holder: string, page: SharedPage): Promise<string>
  close(): Promise<void>
}

export type RendererOptions = {
  config: Pick<Config, 'LIMIT_SHARE_PERCENT'>
  metrics: Pick<Metrics, 'refusals'>
  /** Default: `renderTimeoutMs`. */
  timeoutMs?: number
}

/** Creates a renderer, whose threads start on demand. If a thread fails, only its current task fails. */
export function createRenderer({ config, metrics, timeoutMs = renderTimeoutMs }: RendererOptions): Renderer {
  const threads = pool(threadPath, {
    workerType: 'thread',
    maxWorkers: maxThreads,
    workerThreadOpts: { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } },
  })
  const bounds = { name: 'rendering', max: maxWaiting, sharePercent: config.LIMIT_SHARE_PERCENT }
  const queue = createFairQueue({
    concurrency: maxThreads,
    pool: createPool({ ...bounds, refusals: metrics.refusals }),
  })

  const run = <Output>(holder: string, method: string, input: unknown): Promise<Output> =>
    queue.run(holder, async () => {
      try {
        return await threads.exec<(input: unknown) => Output>(method, [input]).timeout(timeoutMs)
      } catch (error) {
        throw unavailable(error)
      }
    })

  return {
    mail: (holder, source) => run(holder, 'renderMail', source),
    message: (holder, raw) => run(holder, 'readMessage', raw),
    sharedPage: (holder, page) => run(holder, 'renderSharedChat', page),
    close: async () => {
      await threads.terminate(true)
    },
  }
}
