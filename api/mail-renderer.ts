import { fileURLToPath } from 'node:url'
import { pool } from 'workerpool'
import type { MailSource, RenderedMail } from '../domain/mail/render.ts'
import { unavailable } from './failures.ts'

const threadFile = import.meta.url.endsWith('.ts') ? './mail-thread.mjs' : './mail-thread.js'
const threadPath = fileURLToPath(new URL(threadFile, import.meta.url))

const mostThreads = 2
const mostWaiting = 200
const heapMegabytes = 256
/** Milliseconds after which a thread is ended with what it renders. */
export const renderMailMs = 30_000

export type MailRenderer = {
  /** `renderMail` for words of somebody else, which may take it seconds. Throws 503 when it takes too long. */
  render(source: MailSource): Promise<RenderedMail>
  close(): Promise<void>
}

/** Renders in threads, which are made when they are needed: meanwhile the process answers others. */
export const createMailRenderer = ({ mostMs = renderMailMs } = {}): MailRenderer => {
  const threads = pool(threadPath, {
    workerType: 'thread',
    maxWorkers: mostThreads,
    maxQueueSize: mostWaiting,
    workerThreadOpts: { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } },
  })
  return {
    render: async (source) => {
      try {
        return await threads.exec<(source: MailSource) => RenderedMail>('renderMail', [source]).timeout(mostMs)
      } catch (error) {
        throw unavailable(error)
      }
    },
    close: async () => {
      await threads.terminate(true)
    },
  }
}
