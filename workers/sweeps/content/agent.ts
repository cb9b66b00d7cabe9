import { findJob } from '../../../db/jobs/jobs.ts'
import { listWaitingMentions } from '../../../db/content/agent/events.ts'
import { insertPosts, listUnpostedThreads } from '../../../db/content/agent/posts.ts'
import { claimThread, listThreadsLeftBehind, findThread } from '../../../db/content/agent/threads.ts'
import { concludeRuns } from '../../../domain/content/agent/outcomes.ts'
import { createPosts } from '../../../domain/content/agent/posts.ts'
import { answerMention, deliverPosts } from '../../../workflows/content/messages.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

type Deps = Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'eachRow'>

export const contentAgentSweeps: Sweep[] = [
  { name: 'answer mentions', everySeconds: 5, run: answerWaiting },
  { name: 'deliver posts', everySeconds: 5, run: deliverWaiting },
  { name: 'end threads left behind', everySeconds: 5, run: endLeftBehind },
]

/** Starts the workflows of stored mentions that never reached Temporal. */
function answerWaiting({ db, engine, eachRow }: Deps): Promise<void> {
  return eachRow(
    'answer mentions',
    (page) => listWaitingMentions(db, 2000, page),
    ({ id: eventId }) => engine.start(answerMention, { eventId }),
  )
}

/** Restarts lost deliveries. The workflow itself retries while the platform is unavailable. */
function deliverWaiting({ db, engine, eachRow }: Deps): Promise<void> {
  return eachRow(
    'deliver posts',
    (page) => listUnpostedThreads(db, 10_000, page),
    ({ id: threadId }) => engine.start(deliverPosts, { threadId }),
  )
}

/** Reports the outcomes of a thread's runs when the poll that should have reported them is lost. */
function endLeftBehind({ db, engine, log, eachRow }: Deps): Promise<void> {
  return eachRow(
    'end threads left behind',
    (page) => listThreadsLeftBehind(db, page),
    async ({ id: threadId, pollRunId }) => {
      await db.begin(async (tx) => {
        const thread = await findThread(tx, threadId)
        if (thread?.pollRunId !== pollRunId || thread.state !== 'running') return
        const runs = await Promise.all(thread.runIds.map(async (id) => [id, await findJob(tx, id)] as const))
        const conclusion = concludeRuns(runs)
        await claimThread(tx, threadId, { outcome: conclusion.status, runIds: [] })
        const usable = conclusion.results.filter(({ status }) => status === 'completed')
        await insertPosts(tx, threadId, createPosts({ threadId, ...conclusion }, { key: pollRunId, usable }))
      })
      await engine.start(deliverPosts, { threadId })
      log.info({ threadId }, 'reported to a thread whose poll was lost')
    },
  )
}
