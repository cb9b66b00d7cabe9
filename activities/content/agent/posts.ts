import { ApplicationFailure } from '@temporalio/activity'
import {
  announcePost,
  endPost,
  findWaitingPost,
  replaceFileWithUrl,
  listWaitingPosts,
  withdrawPost,
  type WaitingPost,
} from '../../../db/content/agent/posts.ts'
import { settleThread } from '../../../db/content/agent/threads.ts'
import { maxClipBytes } from '../../../domain/content/media.ts'
import { ProviderError } from '../../../providers/errors/provider-error.ts'
import { withHeartbeat } from '../../runtime/heartbeat.ts'
import { isPermanentFileError, readExternalFile } from '../../runtime/external-files.ts'
import { isBusy, providerCall } from '../../runtime/provider-call.ts'
import type { ContentDeps } from '../deps.ts'

type Thread = { threadId: string }
type PostRef = Thread & { key: string }

const postTimeoutMs = 150_000

export function createPostActivities(deps: ContentDeps) {
  const { db, chat, log } = deps

  const readFile = (url: string, signal: AbortSignal): Promise<Uint8Array> =>
    readExternalFile(deps, url, signal, async (content) => {
      const chunks: Uint8Array[] = []
      let bytes = 0
      for await (const chunk of content) {
        bytes += chunk.length
        if (bytes > maxClipBytes) throw new ProviderError('invalid', 'the video is too large')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    })

  const post = ({ threadId, key }: PostRef, { text, file }: WaitingPost): Promise<{ messageId: string }> => {
    const call = { ...providerCall(postTimeoutMs), key }
    if (file === undefined) return chat.postMessage(threadId, text, call)
    const read = (): Promise<Uint8Array> => readFile(file.url, call.signal ?? AbortSignal.timeout(postTimeoutMs))
    return chat.postFile(threadId, { ...file, caption: text, read }, call)
  }

  /** Returns the post of an earlier attempt, if there is one; `unknown` when the chat cannot look it up. */
  const findEarlierPost = async ({ threadId, key }: PostRef, { file }: WaitingPost) => {
    if (chat.findPost === undefined) return undefined
    try {
      return await chat.findPost(threadId, { key, fileName: file?.name }, providerCall())
    } catch (error) {
      if (error instanceof ProviderError && !error.isRetryable) return 'unknown'
      throw error
    }
  }

  /** Handles a rejected post: replaces its file with the URL of the file, or fails a post without a file. */
  const handleRejection = async (ref: PostRef, waitingPost: WaitingPost, error: unknown): Promise<void> => {
    log.error({ err: error, ...ref, alert: true }, 'the team chat rejected a post')
    if (waitingPost.file !== undefined) await replaceFileWithUrl(db, ref.threadId, waitingPost)
    else await endPost(db, ref, { state: 'failed' })
  }

  return {
    /** Returns the keys of a thread's waiting posts, in the order in which to send them. */
    listPosts: ({ threadId }: Thread): Promise<string[]> => listWaitingPosts(db, threadId),

    /**
     * Sends a post once: the intent is stored before the request, and a post that an earlier attempt may have made is
     * looked up first. When the chat cannot look it up, the post is marked in doubt and not repeated. Safe to run
     * again.
     */
    sendPost: (ref: PostRef): Promise<void> =>
      withHeartbeat(async () => {
        const { threadId, key } = ref
        const waitingPost = await findWaitingPost(db, threadId, key)
        if (waitingPost === undefined) return
        const isRepeat = !(await announcePost(db, threadId, key))
        const earlierPost = isRepeat ? await findEarlierPost(ref, waitingPost) : undefined
        if (earlierPost === 'unknown') {
          log.error({ ...ref, alert: true }, 'a post may or may not have arrived; it is not repeated')
          return endPost(db, ref, { state: 'in_doubt' })
        }
        try {
          const { messageId } = earlierPost ?? (await post(ref, waitingPost))
          await endPost(db, ref, { state: 'sent', messageId })
        } catch (error) {
          if (isBusy(error)) {
            if (!isRepeat) await withdrawPost(db, threadId, key)
            throw ApplicationFailure.create({
              message: 'the team chat is busy',
              nextRetryDelay: (error.retryAfterSeconds ?? 1) * 1000,
            })
          }
          const isFinal = (error instanceof ProviderError && !error.isRetryable) || isPermanentFileError(error)
          if (!isFinal) throw error
          await handleRejection(ref, waitingPost, error)
        }
      }),

    /** Ends a post whose retries are used up. Safe to run again. */
    failPost: async (ref: PostRef): Promise<void> => {
      log.error({ ...ref, alert: true }, 'a post failed after its last retry')
      await endPost(db, ref, { state: 'failed' })
    },

    /** Sets the final state of a thread whose posts have all been sent. Safe to run again. */
    settlePosts: ({ threadId }: Thread): Promise<void> => settleThread(db, threadId),
  }
}
