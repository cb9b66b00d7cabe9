import type { Db } from '../postgres/client.ts'

type SendStatus = 'queued' | 'sent' | 'send_failed' | 'rejected' | 'skipped'

export type NewSend = {
  accountId?: string | undefined
  /** Unique key of the email: a second email with the same reference is not sent. */
  reference?: string | undefined
  recipients: string[]
  subject: string
  chatId?: string | undefined
  /** Default: queued. */
  status?: SendStatus
}

export type SendRow = { id: string; status: SendStatus; messageId: string | null }

/** Adds an email to the log and returns its id. Undefined when the reference already exists. */
export async function insertSend(db: Db, send: NewSend): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    insert into email_send_log (account_id, reference, recipients, subject, chat_id, status)
    values (
      ${send.accountId ?? null}, ${send.reference ?? null}, ${send.recipients}::text[], ${send.subject},
      ${send.chatId ?? null}, ${send.status ?? 'queued'}
    ) on conflict (reference) do nothing returning id`
  return row?.id
}

export async function findSendByReference(db: Db, reference: string): Promise<SendRow | undefined> {
  const [row] = await db<SendRow[]>`
    select id, status, message_id from email_send_log where reference = ${reference}`
  return row
}

/** Removes the reference from an email that is more than one day old, so that a repeated request sends a new email. */
export async function freeOldReference(db: Db, reference: string): Promise<void> {
  await db`
    update email_send_log set reference = null
    where reference = ${reference} and created_at <= now() - interval '24 hours'`
}

export type SendClaim = {
  /** `taken`: this call holds the claim. `busy`: another attempt is in progress. `ended`: there is nothing to do. */
  state: 'taken' | 'busy' | 'ended'
  /** Whether an earlier attempt ended without a result, so that the email may have been sent. */
  inDoubt: boolean
  status: SendStatus
  messageId: string | null
  refused: string[]
}

/**
 * Claims an email for `seconds`, so that only one attempt runs at a time. With `again`, a failed email can also be
 * claimed.
 */
export async function claimSend(
  db: Db,
  id: string,
  { seconds, again }: { seconds: number; again: boolean },
): Promise<SendClaim> {
  const [row] = await db<SendClaim[]>`
    with seen as (
      select id, status, message_id, refused, claimed_until from email_send_log where id = ${id} for update
    ), taken as (
      update email_send_log as log set status = 'queued', attempts = attempts + 1,
        claimed_until = now() + make_interval(secs => ${seconds}::float8)
      from seen
      where log.id = seen.id and (seen.claimed_until is null or seen.claimed_until < now())
        and (seen.status = 'queued' or (${again}::boolean and seen.status = 'send_failed'))
      returning log.id
    )
    select seen.status, seen.message_id, seen.refused, seen.claimed_until is not null as in_doubt,
      case when taken.id is not null then 'taken' when seen.status = 'queued' then 'busy' else 'ended' end as state
    from seen left join taken on taken.id = seen.id`
  return row ?? { state: 'ended', inDoubt: false, status: 'skipped', messageId: null, refused: [] }
}

/** Releases a claim whose attempt sent nothing. */
export async function releaseSend(db: Db, id: string): Promise<void> {
  await db`update email_send_log set claimed_until = null where id = ${id} and status = 'queued'`
}

export type SendEnd = {
  status: Exclude<SendStatus, 'queued'>
  messageId?: string | undefined
  /** Recipients that the mail server rejected while it accepted others. */
  refused?: string[] | undefined
  /** Reply code of the mail server, or the kind of failure. */
  failure?: string | undefined
  /** Whether the email may have been sent despite the failure. */
  inDoubt?: boolean | undefined
}

/** Records the final status of a queued email and deletes its content. A final status never changes. */
export async function settleSend(db: Db, id: string, end: SendEnd): Promise<void> {
  const { status, messageId, refused = [], failure, inDoubt = false } = end
  await db`
    with ended as (
      update email_send_log set status = ${status}, message_id = ${messageId ?? null},
        refused = ${refused}::text[], failure = ${failure ?? null},
        claimed_until = case when ${inDoubt}::boolean then now() end
      where id = ${id} and status = 'queued' returning id
    )
    delete from mail_outbox using ended where mail_outbox.id = ended.id`
}

/** Fails emails of requests whose process died. These emails are not retried, because no client received a success response. */
export async function failAbandonedSends(db: Db): Promise<number> {
  const failed = await db`
    update email_send_log as log set status = 'send_failed'
    where status = 'queued' and created_at < now() - interval '10 minutes'
      and coalesce(claimed_until, created_at) < now() - interval '10 minutes'
      and not exists (select from mail_outbox where mail_outbox.id = log.id)`
  return failed.count
}
