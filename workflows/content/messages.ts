import { declareWorkflow } from '../messages.ts'

/** Signal that a run which a poll waits for has ended. */
export const contentRunEnded = 'contentRunEnded'

/** Signal that there is something to post. */
export const postsWaiting = 'postsWaiting'

/** The answer to a mention in the team chat; its text is in the event's row. */
export const answerMention = declareWorkflow<{ eventId: string }>({
  type: 'answerMention',
  id: ({ eventId }) => `mention:${eventId}`,
  use: 'once',
})

/** The posts of a thread, one after the other: whoever has more to post joins it. */
export const deliverPosts = declareWorkflow<{ threadId: string }>({
  type: 'deliverPosts',
  id: ({ threadId }) => `posts:${threadId}`,
  signal: postsWaiting,
})
