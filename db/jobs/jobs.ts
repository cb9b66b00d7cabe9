import { isEnded, type Job, type JobDetail, type EndStatus, type RunError } from '../../domain/jobs/job.ts'
import type { Origin } from '../../domain/runs/origin.ts'
import type { Page } from '../../domain/fields/pages.ts'
import { withoutSecrets } from '../../domain/fields/secrets.ts'
import { attemptsJson, endAttempt, lockJob, newAttempt } from './attempts.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { findInherited, inheritedJson } from '../runs/inherited.ts'

export function asJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(withoutSecrets(value))
}

export type NewJob = {
  id: string
  accountId: string
  jobKind: string
  /** Whether the owner can cancel the run. */
  cancellable: boolean
  version: string
  payload: Record<string, unknown>
  title?: string | null
  /** Tags in addition to the account's. */
  tags?: string[]
  metadata?: Record<string, unknown>
  idempotencyKey?: string | null
  concurrencyKey?: string | null
  /** The task of the run, and the origin of the request that starts it. */
  task?: { id: string; origin: Origin }
  /** Scheduled time. A task has one run per scheduled time. */
  nominalAt?: Date
  schedule?: Record<string, unknown>
}

/** Stores an accepted run. Returns false when another run holds one of its keys. */
export async function insertJob(tx: Db | Tx, run: NewJob): Promise<boolean> {
  const inherited = run.task === undefined ? null : inheritedJson(await findInherited(tx, run.task.origin))
  const tags = [`account:${run.accountId}`, ...(run.tags ?? [])]
  const rows = await tx`
    insert into background_runs (
      id, account_id, task_identifier, cancellable, version, title, tags, payload, metadata, idempotency_key,
      concurrency_key, task_id, nominal_at, schedule, inherited
    ) values (
      ${run.id}, ${run.accountId}, ${run.jobKind}, ${run.cancellable}, ${run.version}, ${run.title ?? null},
      ${JSON.stringify(tags)}::text::jsonb, ${asJson(run.payload)}::text::json,
      ${asJson(run.metadata)}::text::jsonb,
      ${run.idempotencyKey ?? null}, ${run.concurrencyKey ?? null},
      ${run.task?.id ?? null}, ${run.nominalAt ?? null}, ${asJson(run.schedule)}::text::json,
      ${inherited}::text::jsonb
    ) on conflict do nothing returning 1`
  return rows.length === 1
}

/** Returns the live run that holds the key. */
export async function findLiveByKey(db: Db, concurrencyKey: string): Promise<Job | undefined> {
  const [run] = await db<Job[]>`
    select ${columns(db)} from background_runs where concurrency_key = ${concurrencyKey} and finished_at is null`
  return run
}

export async function findByIdempotencyKey(db: Db, jobKind: string, idempotencyKey: string): Promise<Job | undefined> {
  const [run] = await db<Job[]>`
    select ${columns(db)} from background_runs
    where task_identifier = ${jobKind} and idempotency_key = ${idempotencyKey}`
  return run
}

export async function findJob(db: Db, id: string): Promise<JobDetail | undefined> {
  const [run] = await db<JobDetail[]>`
    select ${columns(db)}, payload, output, error, attempts, schedule, related_runs,
      (select runs.id from runs where runs.background_run_id = background_runs.id) as chat_run_id
    from background_runs where id = ${id}`
  return run
}

export async function readJob(db: Db, id: string): Promise<JobDetail> {
  const run = await findJob(db, id)
  if (run === undefined) throw new Error(`background run ${id} does not exist`)
  return run
}

/** Returns the account's runs, latest first. */
export function listJobs(db: Db, accountId: string, { limit, offset }: Page): Promise<Job[]> {
  return db<Job[]>`
    select ${columns(db)} from background_runs where account_id = ${accountId}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

/** Returns the latest `perTask` runs of each task, latest first. */
export function listRunsOfTasks(
  db: Db,
  taskIds: readonly string[],
  perTask: number,
): Promise<(Job & { taskId: string })[]> {
  return db<(Job & { taskId: string })[]>`
    select of_task.task_id, run.* from unnest(${[...taskIds]}::uuid[]) as of_task (task_id)
    cross join lateral (
      select ${columns(db)} from background_runs
      where background_runs.task_id = of_task.task_id order by created_at desc, id desc limit ${perTask}
    ) as run
    order by run.created_at desc, run.id desc`
}

export async function markJobStarted(db: Db, id: string): Promise<void> {
  await db`update background_runs set engine_started_at = now() where id = ${id} and engine_started_at is null`
}

/**
 * Sets the run to EXECUTING with its first attempt. Returns false when the run has ended or must be cancelled. Safe to
 * run again.
 */
export async function beginJobRow(tx: Tx, id: string): Promise<boolean> {
  const run = await lockJob(tx, id)
  if (run === undefined || isEnded(run.status) || run.cancelRequestedAt !== null) return false
  const attempts = run.attempts.length === 0 ? [newAttempt()] : run.attempts
  await tx`
    update background_runs set status = 'EXECUTING', started_at = coalesce(started_at, now()),
      engine_started_at = coalesce(engine_started_at, now()), attempts = ${attemptsJson(attempts)}::text::jsonb
    where id = ${id}`
  return true
}

export type JobEnd = { status: EndStatus; output?: unknown; error?: RunError }

/**
 * Ends a live run. Returns false for an ended run, which never changes, and for a run that waits for a chat run, because
 * the chat run ends it.
 */
export async function endJobRow(tx: Tx, id: string, end: JobEnd): Promise<boolean> {
  const run = await lockJob(tx, id)
  if (run === undefined || isEnded(run.status) || run.chatRunId !== null) return false
  const attempts = run.attempts.map((attempt) => endAttempt(attempt, end.status, end.error))
  const output = end.status === 'COMPLETED' ? asJson(end.output) : null
  await tx`
    update background_runs set status = ${end.status}, finished_at = now(), output = ${output}::text::json,
      error = ${asJson(end.error)}::text::json,
      attempts = ${attemptsJson(attempts)}::text::jsonb
    where id = ${id}`
  return true
}

/** Sets `members` in the metadata of a live run. */
export async function mergeMetadata(db: Db, id: string, members: Record<string, unknown>): Promise<void> {
  await db`
    update background_runs set metadata = coalesce(metadata, '{}') || ${asJson(members)}::text::jsonb
    where id = ${id} and finished_at is null`
}

/** Records a cancellation request and returns the run. Undefined when it does not exist. */
export async function requestCancel(tx: Tx, id: string): Promise<JobDetail | undefined> {
  await tx`
    update background_runs set cancel_requested_at = coalesce(cancel_requested_at, now())
    where id = ${id} and finished_at is null`
  return findJob(tx, id)
}

export async function markCancelDelivered(db: Db, id: string): Promise<void> {
  await db`update background_runs set cancel_delivered_at = now() where id = ${id}`
}

function columns(db: Db) {
  return db`
  id, account_id, task_identifier as job_kind, cancellable, status, title, tags, metadata, idempotency_key, credits, version,
  delayed_until, expired_at, started_at, finished_at, engine_started_at, cancel_requested_at, created_at, updated_at`
}
