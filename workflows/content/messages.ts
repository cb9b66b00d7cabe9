import { declareWorkflow } from '../messages.ts'

/** Signal to a poll: one of its runs has ended. */
export const contentRunEnded = 'contentRunEnded'

/** Signal: there is a message to post. */
export const postsWaiting = 'postsWaiting'

/** The reply to a mention in the team chat. The text is in the event's row. */
export const answerMention = declareWorkflow<{ eventId: string }>({
  type: 'answerMention',
  id: ({ eventId }) => `mention:${eventId}`,
  use: 'once',
})

/** Sends the posts of a thread in order. A start while it is open joins it. */
export const deliverPosts = declareWorkflow<{ threadId: string }>({
  type: 'deliverPosts',
  id: ({ threadId }) => `posts:${threadId}`,
  signal: postsWaiting,
})
