/** Account for which work runs, identified by one of several ids. */
export type WorkOwner =
  | { accountId: string }
  | { runId: string }
  | { jobId: string }
  | { sessionId: string }
  | { chatId: string }
  | { mailId: string }
