/** The account that work is done for, by one of the ids that lead to it. */
export type WorkOwner =
  | { accountId: string }
  | { runId: string }
  | { jobId: string }
  | { sessionId: string }
  | { chatId: string }
  | { mailId: string }
