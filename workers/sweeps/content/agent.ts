import { listWaitingMentions } from '../../../db/content/agent/events.ts'
import { insertPosts, listUnpostedThreads } from '../../../db/content/agent/posts.ts'
import { claimThread, listThreadsLeftBehind } from '../../../db/content/agent/threads.ts'
import { postsOf } from '../../../domain/content/agent/posts.ts'
import { answerMention, deliverPosts } from '../../../workflows/content/messages.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

type Deps = Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'eachRow'>

export const contentAgentSweeps: Sweep[] = [
  { name: 'answer mentions', everySeconds: 5, run: answerWaiting },
  { name: 'deliver posts', everySeconds: 5, run: deliverWaiting },
  { name: 'end threads left behind', everySeconds: 5, run: endLeftBehind },
]

/** Starts what was stored and never reached the engine. */
function answerWaiting({ db, engine, eachRow }: Deps): Promise<void> {
  return eachRow(
    'answer mentions',
    (page) => listWaitingMentions(db, 2000, page),
    ({ id: eventId }) => engine.start(answerMention, { eventId }),
  )
}

/** A platform that is away is asked by the workflow; this is for one that was lost, or that was never started. */
function deliverWaiting({ db, engine, eachRow }: Deps): Promise<void> {
  return eachRow(
    'deliver posts',
    (page) => listUnpostedThreads(db, 10_000, page),
    ({ id: threadId }) => engine.start(deliverPosts, { threadId }),
  )
}

/** Tells a thread that nobody can say how its videos ended: whoever waited for them has ended without a word. */
function endLeftBehind({ db, engine, log, eachRow }: Deps): Promise<void> {
  return eachRow(
    'end threads left behind',
    (page) => listThreadsLeftBehind(db, page),
    async ({ id: threadId, pollRunId }) => {
      await db.begin(async (tx) => {
        const thread = await claimThread(tx, threadId, { outcome: 'failed', runIds: [] })
        const callback = { threadId, status: 'failed', results: [] } as const
        if (thread?.pollRunId === pollRunId)
          await insertPosts(tx, threadId, postsOf({ ...callback, results: [] }, { key: pollRunId, usable: [] }))
      })
      await engine.start(deliverPosts, { threadId })
      log.info({ threadId }, 'ended a thread whose videos nobody waited for any more')
    },
  )
}
