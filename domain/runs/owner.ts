/** The account that work is done for, identified by one of several ids. */
export type WorkOwner =
  | { accountId: string }
  | { runId: string }
  | { jobId: string }
  | { sessionId: string }
  | { chatId: string }
  | { mailId: string }
