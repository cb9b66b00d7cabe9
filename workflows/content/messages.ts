import { declareWorkflow } from '../messages.ts'

/** Signals a polling run that one of its runs has ended. */
export const contentRunEnded = 'contentRunEnded'

/** Signals that a message is waiting to be posted. */
export const postsWaiting = 'postsWaiting'

/** Handles a mention in the team chat, whose text is in the row of the event. */
export const answerMention = declareWorkflow<{ eventId: string }>({
  type: 'answerMention',
  id: ({ eventId }) => `mention:${eventId}`,
  use: 'once',
})

/** Sends the posts of a thread in order. A start while the workflow is open joins it. */
export const deliverPosts = declareWorkflow<{ threadId: string }>({
  type: 'deliverPosts',
  id: ({ threadId }) => `posts:${threadId}`,
  signal: postsWaiting,
})
