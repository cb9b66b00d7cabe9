import { fileURLToPath } from 'node:url'
import { pool } from 'workerpool'
import type { MailSource, RenderedMail } from '../../domain/mail/render.ts'
import type { ReadMessage } from '../../providers/mail/read-message.ts'
import { unavailable } from '../http/failures.ts'

const threadFile = import.meta.url.endsWith('.ts') ? './mail-thread.mjs' : './mail-thread.js'
const threadPath = fileURLToPath(new URL(threadFile, import.meta.url))

const maxThreads = 2
const maxWaiting = 200
const heapMegabytes = 256
/** Milliseconds after which a thread is ended with what it renders. */
export const renderMailMs = 30_000

export type MailRenderer = {
  /** `renderMail` for words of somebody else, which may take it seconds. Throws 503 when it takes too long. */
  render(source: MailSource): Promise<RenderedMail>
  /** `readMessage`, which takes as long for somebody's words. Throws 503 when it takes too long. */
  read(raw: Uint8Array): Promise<ReadMessage>
  close(): Promise<void>
}

/** Renders in threads, which are made when they are needed: meanwhile the process answers others. */
export function createMailRenderer({ maxMs = renderMailMs } = {}): MailRenderer {
  const threads = pool(threadPath, {
    workerType: 'thread',
    maxWorkers: maxThreads,
    maxQueueSize: maxWaiting,
    workerThreadOpts: { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } },
  })
  const inTime = async <T>(work: { timeout(ms: number): PromiseLike<T> }): Promise<T> => {
    try {
      return await work.timeout(maxMs)
    } catch (error) {
      throw unavailable(error)
    }
  }
  return {
    render: async (source) => inTime(threads.exec<(source: MailSource) => RenderedMail>('renderMail', [source])),
    read: async (raw) => inTime(threads.exec<(raw: Uint8Array) => ReadMessage>('readMessage', [raw])),
    close: async () => {
      await threads.terminate(true)
    },
  }
}
