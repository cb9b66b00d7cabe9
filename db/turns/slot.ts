import type { Tx } from '../postgres/client.ts'

/**
 * Claims the slot of the chat for this run. Returns false when another run has the slot. Ends a hold of the queue that a
 * question caused, because the run answers or skips the question.
 */
export async function claimSlot(tx: Tx, chatId: string, runId: string): Promise<boolean> {
  const rows = await tx`
    update chats set active_stream_id = ${runId}, updated_at = now(), queue_hold = nullif(queue_hold, 'awaiting_user')
    where id = ${chatId} and active_stream_id is null returning 1`
  return rows.length === 1
}

/** Releases the slot of an ended run. Returns false when the slot changed concurrently. */
export async function releaseSlot(tx: Tx, chatId: string, runId: string): Promise<boolean> {
  const rows = await tx`
    update chats set active_stream_id = null where id = ${chatId} and active_stream_id = ${runId} returning 1`
  return rows.length === 1
}

/**
 * Records an accepted run as activity of its session, under the lock of the row. Returns false when the sandbox is not
 * active.
 */
export async function touchActiveSandbox(
  tx: Tx,
  sessionId: string,
  idleTimeoutMs: number,
  expiryBufferMs: number,
): Promise<boolean> {
  const rows = await tx`
    update sessions set last_activity_at = now(), lifecycle_error = null, lifecycle_state = 'active',
      hibernate_after = greatest(hibernate_after, now() + make_interval(secs => ${idleTimeoutMs / 1000}::float8)),
      lifecycle_version = lifecycle_version + case when lifecycle_state = 'hibernating' then 1 else 0 end
    where id = ${sessionId} and lifecycle_state in ('active', 'hibernating')
      and sandbox_expires_at > now() + make_interval(secs => ${expiryBufferMs / 1000}::float8)
    returning 1`
  return rows.length === 1
}
