import { continueAsNew, defineSignal, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import { postsWaiting } from './messages.ts'

const { listPosts, failPost, settlePosts } = proxyActivities<Activities>(databaseActivityOptions)
/** Retries for one hour in total while the platform is unavailable. */
const { sendPost } = proxyActivities<Activities>({
  startToCloseTimeout: '3m',
  heartbeatTimeout: '8s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
})

/** Sends the posts of a thread in order. A post that fails does not block later posts. */
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
