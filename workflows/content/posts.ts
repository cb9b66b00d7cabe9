import { continueAsNew, defineSignal, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { storing } from '../runtime/retries.ts'
import { postsWaiting } from './messages.ts'

const { listPosts, failPost, settlePosts } = proxyActivities<Activities>(storing)
/** A platform that is away is waited for, for an hour with all pauses. */
const { sendPost } = proxyActivities<Activities>({
  startToCloseTimeout: '3m',
  heartbeatTimeout: '8s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
})

/** Posts what waits in a thread, in its order; one that cannot be posted keeps no other back. */
export async function deliverPosts({ threadId }: { threadId: string }): Promise<void> {
  let isWoken = true
  setHandler(defineSignal(postsWaiting), () => void (isWoken = true))
  while (isWoken) {
    isWoken = false
    for (let keys = await listPosts({ threadId }); keys.length > 0; keys = await listPosts({ threadId })) {
      if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof deliverPosts>({ threadId })
      for (const key of keys) await sendPost({ threadId, key }).catch(() => failPost({ threadId, key }))
    }
    await settlePosts({ threadId })
  }
}
