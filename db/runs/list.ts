import type { JobStatus } from '../../domain/jobs/job.ts'
import { turnKind, type ListedRun, type ListedStatus } from '../../domain/runs/listed-run.ts'
import type { Db } from '../postgres/client.ts'
import { instantAt, toMicros } from '../postgres/micros.ts'
import { isAwaited } from '../turns/questions/question.ts'
import type { RunStatus } from './runs.ts'

export type RunFilter = {
  accountId: string
  kinds?: readonly string[] | undefined
  statuses?: readonly ListedStatus[] | undefined
  /** A run id, or case-insensitive text in the title of a job or of a turn's chat. */
  search?: string | undefined
  tag?: string | undefined
  sessionId?: string | undefined
  chatId?: string | undefined
  taskId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** Includes turns that a job waits for. */
  children: boolean
  /** Selects only turns that wait for the user. */
  waiting: boolean
}

type RunPosition = { micros: number; id: string }
type Page = { limit: number; after?: RunPosition | undefined }

const jobStatuses: Record<ListedStatus, readonly JobStatus[]> = {
  queued: ['QUEUED', 'DELAYED'],
  running: ['EXECUTING'],
  retrying: ['REATTEMPTING'],
  completed: ['COMPLETED'],
  failed: ['FAILED', 'CRASHED', 'SYSTEM_FAILURE'],
  cancelled: ['CANCELED'],
}

/** Returns runs, newest first. Reads one page of turns and one page of jobs, and merges them. */
export function listRuns(db: Db, filter: RunFilter, page: Page): Promise<ListedRun[]> {
  const turns = db`
    select ${turnPageColumns(db)} from runs where ${matchTurns(db, filter)} ${isOnPage(db, filter, page)}
    order by created_at desc, id desc limit ${page.limit}`
  const jobs = selectJobPage(db, filter, page)
  return db<ListedRun[]>`
    select * from (${selectListedTurns(db, turns, filter.waiting)} union all ${selectListedJobs(db, jobs)}) as listed
    order by created_at desc, id desc limit ${page.limit}`
}

/**
 * Maximum number of the newest turns, and of the newest jobs, that a count includes. Bounds the part of an index that it
 * reads.
 */
export const maxCounted = 1000

type RunCounts = { statuses: Map<ListedStatus, number>; waiting: number; isPartial: boolean }

/**
 * Counts the runs of each status among the newest turns and jobs, in one statement. Ignores `statuses` and `waiting` of the
 * filter.
 */
export async function countRuns(db: Db, filter: RunFilter): Promise<RunCounts> {
  const page = { limit: maxCounted }
  const { statuses: _, ...all } = { ...filter, waiting: false }
  const rows = await db<{ status: ListedStatus; count: number; seen: number }[]>`
    with turns as (
      select status from runs where ${matchTurns(db, all)} ${isOnPage(db, filter, page)}
      order by created_at desc, id desc limit ${maxCounted}
    ), jobs as (
      select ${selectJobStatus(db, db`page.status`)} as status from (${selectJobPage(db, all, page)}) as page
    )
    select status, count(*)::int as count,
      greatest((select count(*) from turns), (select count(*) from jobs))::int as seen
    from (select status from turns union all select status from jobs) as listed group by status
    union all
    select 'waiting', count(*)::int, 0
    from (select from runs where ${matchTurns(db, { ...all, waiting: true })} ${isOnPage(db, filter, page)} limit ${maxCounted}) as counted`
  const counts = new Map<string, number>(rows.map(({ status, count }) => [status, count]))
  const waiting = counts.get('waiting') ?? 0
  counts.delete('waiting')
  return {
    statuses: counts as Map<ListedStatus, number>,
    waiting,
    isPartial: rows.some(({ seen }) => seen >= maxCounted),
  }
}

/** Returns one run of either kind. */
export async function findListedRun(db: Db, id: string): Promise<ListedRun | undefined> {
  const turn = db`select ${turnPageColumns(db)} from runs where id = ${id}`
  const job = db`select ${jobPageColumns(db)} from background_runs where id = ${id}`
  const [run] = await db<ListedRun[]>`${selectListedTurns(db, turn)} union all ${selectListedJobs(db, job)}`
  return run
}

/** SQL for the listed status of a job; null without a job. */
export function selectJobStatus(db: Db, status: Rows) {
  return db`
    case ${Object.entries(jobStatuses).map(
      ([shown, storedStatuses]) => db`when ${status} = any(${[...storedStatuses]}::text[]) then ${shown}::text `,
    )} end`
}

type Rows = ReturnType<typeof turnPageColumns>

/** Selects a page of jobs. Reads each kind only up to the end of the page, because an index has this order per kind. */
function selectJobPage(db: Db, filter: RunFilter, page: Page) {
  const selectKind = (kind: Rows) => db`
    select ${jobPageColumns(db)} from background_runs where ${matchJobs(db, filter)} ${kind} ${isOnPage(db, filter, page)}
    order by created_at desc, id desc limit ${page.limit}`
  if (filter.kinds === undefined) return selectKind(db``)
  return db`
    select job.* from unnest(${[...new Set(filter.kinds)]}::text[]) as wanted (kind)
    cross join lateral (${selectKind(db`and task_identifier = wanted.kind`)}) as job
    order by created_at desc, id desc limit ${page.limit}`
}

/** Adds the listed columns to a page of turns. `waiting`: all turns of the page wait for the user. */
function selectListedTurns(db: Db, page: Rows, waiting = false) {
  return db`
    select page.id, ${turnKind}::text as kind, page.status, chats.title,
      jsonb_build_array('account:' || page.account_id, 'session:' || page.session_id, 'chat:' || page.chat_id) as tags,
      page.account_id, page.session_id::text, page.chat_id::text, null::uuid as task_id,
      page.background_run_id as parent_run_id, null::text as child_run_id, page.source, page.model_id,
      page.created_at, ${toMicros(db, db`page.created_at`)} as created_micros, page.started_at, page.ended_at, ${selectCharged(db)} as credits,
      page.end_reason,
      case when page.status = 'failed'
        then json_build_object('name', 'RunFailed', 'message', coalesce(page.error, 'The run failed')) end as error,
      page.status in ('queued', 'running') and chats.id is not null as cancellable,
      ${waiting ? db`true` : db`coalesce(${isAwaited(db, db`page`)}, false)`} as is_waiting
    from (${page}) as page left join chats on chats.id = page.chat_id`
}

function selectListedJobs(db: Db, page: Rows) {
  return db`
    select page.id, page.task_identifier as kind,
      ${selectJobStatus(db, db`page.status`)} as status,
      page.title, page.tags, page.account_id, child.session_id::text, child.chat_id::text, page.task_id, null::text as parent_run_id,
      child.id as child_run_id, null::text as source, child.model_id, page.created_at, ${toMicros(db, db`page.created_at`)} as created_micros,
      page.started_at, page.ended_at, case when page.credits > 0 then page.credits else ${selectCharged(db)} end as credits,
      null::text as end_reason, page.error, page.cancellable and page.ended_at is null as cancellable,
      coalesce(${isAwaited(db, db`child`)}, false) as is_waiting
    from (${page}) as page left join runs child on child.background_run_id = page.id`
}

function turnPageColumns(db: Db) {
  return db`
  id, account_id, status, session_id, chat_id, assistant_message_id, background_run_id, source, model_id, created_at, started_at, ended_at,
  end_reason, error`
}

function jobPageColumns(db: Db) {
  return db`
  id, account_id, status, task_identifier, title, tags, task_id, cancellable, credits, error, created_at, started_at,
  finished_at as ended_at`
}

/** SQL for the charged credits. A turn is charged when it ends; a job is charged while it runs. */
function selectCharged(db: Db) {
  return db`(
    select coalesce(sum(usage.credits), 0)::bigint from usage_events usage
    where usage.account_id = page.account_id and usage.created_at >= page.created_at
      and usage.created_at < coalesce(page.ended_at, now()) + interval '1 minute' and usage.run_id = page.id
  )`
}

function isOnPage(db: Db, { from, to }: RunFilter, { after }: Page) {
  return db`
    ${from === undefined ? db`` : db`and created_at >= ${from}`}
    ${to === undefined ? db`` : db`and created_at < ${to}`}
    ${after === undefined ? db`` : db`and (created_at, id) < (${instantAt(db, after.micros)}, ${after.id})`}`
}

function matchTurns(db: Db, filter: RunFilter) {
  const { accountId, kinds, statuses, tag, sessionId, chatId, taskId, children, waiting, search } = filter
  const tagConditions = tag === undefined ? {} : parseTurnTag(tag)
  if (tagConditions === undefined || (kinds !== undefined && !kinds.includes(turnKind))) return db`false`
  const storedStatuses = statuses?.filter((status): status is RunStatus => status !== 'retrying')
  const isChild = sessionId !== undefined || chatId !== undefined || kinds?.every((kind) => kind === turnKind)
  return db`
    account_id = ${accountId}
    ${waiting ? db`and ${isAwaited(db, db`runs`)}` : db``}
    ${tagConditions.account === undefined ? db`` : db`and account_id::text = ${tagConditions.account}`}
    ${tagConditions.session === undefined ? db`` : db`and session_id::text = ${tagConditions.session}`}
    ${tagConditions.chat === undefined ? db`` : db`and chat_id::text = ${tagConditions.chat}`}
    ${search === undefined ? db`` : db`and (id = ${search} or chat_id in (select id from chats where account_id = ${accountId} and ${titleContains(db, search)}))`}
    ${sessionId === undefined ? db`` : db`and session_id = ${sessionId}`}
    ${chatId === undefined ? db`` : db`and chat_id = ${chatId}`}
    ${storedStatuses === undefined ? db`` : db`and status = any(${storedStatuses}::text[])`}
    ${taskId === undefined ? db`` : db`and background_run_id in (select id from background_runs where task_id = ${taskId})`}
    ${children || waiting || isChild === true ? db`` : db`and background_run_id is null`}`
}

function matchJobs(db: Db, { accountId, kinds, statuses, tag, sessionId, chatId, taskId, waiting, search }: RunFilter) {
  if (waiting || sessionId !== undefined || chatId !== undefined) return db`false`
  if (kinds?.every((kind) => kind === turnKind) === true) return db`false`
  const storedStatuses = statuses?.flatMap((status) => jobStatuses[status])
  return db`
    account_id = ${accountId}
    ${storedStatuses === undefined ? db`` : db`and status = any(${storedStatuses}::text[])`}
    ${search === undefined ? db`` : db`and (id = ${search} or ${titleContains(db, search)})`}
    ${tag === undefined ? db`` : db`and tags @> ${JSON.stringify([tag])}::text::jsonb`}
    ${taskId === undefined ? db`` : db`and task_id = ${taskId}`}`
}

/** SQL condition: the title contains the text, case-insensitively. */
function titleContains(db: Db, text: string) {
  return db`title ilike ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}

/** Parses a tag into conditions on turns; undefined for a tag that no turn has. */
function parseTurnTag(tag: string): { account?: string; session?: string; chat?: string } | undefined {
  const [name = '', ...rest] = tag.split(':')
  return ['account', 'session', 'chat'].includes(name) ? { [name]: rest.join(':') } : undefined
}
