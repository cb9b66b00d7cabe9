import type { operations } from '../../../client/schema.ts'
import type { RunKind } from '../../../domain/jobs/kinds.ts'
import { actingAs } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { findQuestion } from '../chat/live/loading.ts'
import { createAgain, readVideo } from '../content/videos.ts'

/** Members of a run that determine how it is repeated. */
export type RunToRepeat = {
  id: string
  kind: string
  accountId: string
  sessionId: string | null
  chatId: string | null
  taskId: string | null
  parentRunId: string | null
}

/** Page that shows the repeated run. */
export type StartedRun = { to: '/runs/$runId'; runId: string } | { to: '/music' } | { to: '/valuation'; artist: string }

/** Returns a function that repeats the run; undefined if that is impossible, as for a commit of uploaded files. */
export function createRepeat(run: RunToRepeat, payload: unknown): (() => Promise<StartedRun>) | undefined {
  if (run.taskId !== null) return () => runTask(run.taskId ?? '')
  return repeats[run.kind as RunKind]?.(run, readRequest(payload))
}

type Repeat = ReturnType<typeof createRepeat>

const repeats: Record<RunKind, (run: RunToRepeat, request?: RepeatedRequest) => Repeat> = {
  turn: (run) => (run.parentRunId === null && run.chatId !== null ? () => sendAgain(run) : undefined),
  'scheduled-task': () => undefined,
  'setup-sandbox': (run) => () => setUp(run),
  'commit-files': () => undefined,
  'create-content': (run) => async () => toRunPage(await createAgain(await readVideo(run.id), actingAs(run.accountId))),
  'render-music': (run, request) => request && (() => createTrack(run, request)),
  'scrape-socials': (_, request) => request && (() => scrape(request)),
  'capture-play-counts': (run, request) => request && (() => measure(run, request)),
}

function toRunPage(runId: string): StartedRun {
  return { to: '/runs/$runId', runId }
}

async function runTask(id: string): Promise<StartedRun> {
  return toRunPage((await read(api.POST('/api/tasks/runs', { body: { id } }))).runId)
}

/** Sends the message of the run again, at the end of its chat. */
async function sendAgain(run: RunToRepeat): Promise<StartedRun> {
  return sendPrompt(run, await readPrompt(run))
}

/** The message that a turn answered. Throws if it is not plain text or no longer exists. */
export function readPrompt({ id, sessionId, chatId }: RunToRepeat): Promise<string> {
  return findQuestion({ sessionId: sessionId ?? '', chatId: chatId ?? '' }, id)
}

/** Sends a prompt at the end of the chat of a turn. */
export async function sendPrompt({ accountId, chatId }: RunToRepeat, prompt: string): Promise<StartedRun> {
  const { account_id: owner } = actingAs(accountId)
  const body = { chatId: chatId ?? '', prompt, ...(owner !== undefined && { accountId: owner }) }
  const started = await read(api.POST('/api/chat/runs', { body }))
  if (!('runId' in started)) throw new Error('The chat is busy.')
  return toRunPage(started.runId)
}

async function setUp({ accountId }: RunToRepeat): Promise<StartedRun> {
  return toRunPage((await read(api.POST('/api/sandboxes/setup', { body: actingAs(accountId) }))).runId)
}

type RepeatedRequest = Record<string, unknown>

/** The payload of a job contains its original request, which the API validates again. */
async function createTrack({ accountId }: RunToRepeat, request: RepeatedRequest): Promise<StartedRun> {
  const body = { ...request, ...actingAs(accountId) } as BodyOf<'postMusic'>
  await read(api.POST('/api/music', { body }))
  return { to: '/music' }
}

async function scrape({ social_id: id, artist_account_id: artistId, posts }: RepeatedRequest): Promise<StartedRun> {
  const options = typeof posts === 'number' ? { posts } : {}
  if (typeof id === 'string')
    return toRunPage(
      (await read(api.POST('/api/socials/{id}/scrape', { params: { path: { id } }, body: options }))).runId,
    )
  const body = { artist_account_id: String(artistId), ...options }
  return toRunPage((await read(api.POST('/api/artist/socials/scrape', { body }))).runId)
}

async function measure(
  { accountId }: RunToRepeat,
  { scope, streaming_artist_id: artist }: RepeatedRequest,
): Promise<StartedRun> {
  if (typeof artist === 'string') return { to: '/valuation', artist }
  const body = { scope, source: 'current', ...actingAs(accountId) } as BodyOf<'postResearchMeasurementJobs'>
  return toRunPage((await read(api.POST('/api/research/measurement-jobs', { body }))).runId)
}

type BodyOf<O extends 'postMusic' | 'postResearchMeasurementJobs'> =
  operations[O]['requestBody']['content']['application/json']

function readRequest(payload: unknown): RepeatedRequest | undefined {
  const { asked } = (payload ?? {}) as { asked?: RepeatedRequest }
  return asked
}
