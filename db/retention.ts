import type { Pool } from './postgres/client.ts'
import { withPartitionLock } from './postgres/partitions.ts'

/** Retention of old rows, in days. */
export type Retention = {
  auditDays: number
  paymentEventDays: number
  mailLogDays: number
  jobDays: number
  timelineDays: number
  embeddedDays: number
  /** Days after the publication of a post. Undefined keeps posts indefinitely. */
  postDays: number | undefined
}

/** Maximum number of rows to delete per table and call. The next call continues. */
const maxRows = 10_000

/** Creates the partitions of the audit log for the current month and the next month. */
export function ensureAuditPartitions(db: Pool): Promise<unknown> {
  return withPartitionLock(
    db,
    (tx) => tx`
      select make_audit_partition((date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead))::date)
      from generate_series(0, 1) as ahead`,
  )
}

/** Deletes rows that exceed their retention, except rows of work in progress. Safe to run concurrently. */
export async function deleteExpired(db: Pool, retention: Retention): Promise<void> {
  const { auditDays, paymentEventDays, mailLogDays, jobDays, timelineDays, embeddedDays, postDays } = retention
  await withPartitionLock(db, (tx) => tx`select drop_audit_partitions((${daysAgo(db, auditDays)})::date)`)
  await db`select delete_old_payment_events(${daysAgo(db, paymentEventDays)})`
  await db`
    delete from email_send_log where id in (
      select id from email_send_log where created_at < ${daysAgo(db, mailLogDays)} and status <> 'queued' limit ${maxRows})`
  await db`
    delete from background_runs where id in (
      select id from background_runs where finished_at < ${daysAgo(db, jobDays)} limit ${maxRows})`
  await deleteTimelines(db, timelineDays)
  await db`
    delete from scraper_batches where run_id in (
      select run_id from scraper_batches
      where created_at < ${daysAgo(db, jobDays)} and state in ('COMPLETED', 'FAILED') limit ${maxRows})`
  await db`
    delete from embedded_payment_events where id in (
      select id from embedded_payment_events
      where created_at < ${daysAgo(db, embeddedDays)} and next_attempt_at is null limit ${maxRows})`
  await db`
    delete from embedded_sessions where id in (
      select id from embedded_sessions where expires_at < ${daysAgo(db, embeddedDays)} limit ${maxRows})`
  await db`
    delete from embedded_scraper_runs where id in (
      select id from embedded_scraper_runs where created_at < ${daysAgo(db, embeddedDays)} limit ${maxRows})`
  await deleteContentRows(db, { jobDays, embeddedDays })
  if (postDays !== undefined)
    await db`
      delete from posts where id in (
        select id from posts where published_at < ${daysAgo(db, postDays)} order by published_at limit ${maxRows})`
}

/** Retention of chat events and posts. A platform redelivers an event for at most a few hours. */
const chatDays = 7

/** Deletes rows of ended content runs and chat messages, but no video files. */
async function deleteContentRows(db: Pool, { jobDays, embeddedDays }: Pick<Retention, 'jobDays' | 'embeddedDays'>) {
  await db`
    delete from content_runs where run_id in (
      select run_id from content_runs
      where created_at < ${daysAgo(db, jobDays)} and state in ('completed', 'failed') limit ${maxRows})`
  await db`
    delete from chat_platform_events where event_id in (
      select event_id from chat_platform_events
      where received_at < ${daysAgo(db, chatDays)} and done_at is not null limit ${maxRows})`
  await db`
    delete from chat_posts where (thread_id, key) in (
      select thread_id, key from chat_posts
      where created_at < ${daysAgo(db, chatDays)} and state <> 'waiting' limit ${maxRows})`
  await db`
    delete from embedded_chat_messages where id in (
      select id from embedded_chat_messages where created_at < ${daysAgo(db, embeddedDays)} limit ${maxRows})`
}

function daysAgo(db: Pool, days: number) {
  return db`now() - make_interval(days => ${days})`
}

/**
 * Deletes the steps, attempts and tool calls of turns that ended more than `days` ago, but not the turns. Keeps the steps
 * of turns with alerts, for a manual charge, and tool calls that may have left uncommitted changes, for the turn that
 * commits them.
 */
async function deleteTimelines(db: Pool, days: number): Promise<void> {
  const expiredTurns = await db<{ runId: string }[]>`
    select distinct run_id from (
      select run_id from run_steps where created_at < ${daysAgo(db, days)} limit ${maxRows}
    ) as steps join runs on runs.id = run_id
    where runs.ended_at < ${daysAgo(db, days)} and not exists (select from run_alerts where run_alerts.run_id = runs.id)`
  const ids = expiredTurns.map(({ runId }) => runId)
  await db`delete from run_attempts where ended_at < ${daysAgo(db, days)}`
  if (ids.length === 0) return
  await db`
    delete from run_tool_calls using runs
    where runs.id = run_tool_calls.run_id and runs.id = any(${ids}::text[])
      and (
        not exists (select from sessions where sessions.id = runs.session_id)
        or exists (
          select from turn_commits where turn_commits.session_id = runs.session_id
            and turn_commits.created_at >= runs.created_at and settled_at is not null
        )
      )`
  await db`delete from run_steps where run_id = any(${ids}::text[])`
}
