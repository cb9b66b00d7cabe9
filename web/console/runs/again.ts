import type { operations } from '../../../client/schema.ts'
import type { RunKind } from '../../../domain/jobs/kinds.ts'
import { toAccountField } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { findUserMessage } from '../chat/live/loading.ts'
import { recreateVideo, readVideo } from '../content/videos.ts'

/** Fields of a run that determine how it is repeated. */
export type RunToRepeat = {
  id: string
  kind: string
  accountId: string
  sessionId: string | null
  chatId: string | null
  taskId: string | null
  parentRunId: string | null
}

/** Route to the page that shows the repeated run. */
export type StartedRunRoute =
  | { to: '/runs/$runId'; runId: string }
  | { to: '/music' }
  | { to: '/valuation'; artist: string }

/** Returns a function that repeats the run; undefined for a run that cannot be repeated, such as a commit of files. */
export function createRepeat(run: RunToRepeat, payload: unknown): (() => Promise<StartedRunRoute>) | undefined {
  if (run.taskId !== null) return () => runTask(run.taskId ?? '')
  return repeats[run.kind as RunKind]?.(run, readRequest(payload))
}

type Repeat = ReturnType<typeof createRepeat>

const repeats: Record<RunKind, (run: RunToRepeat, request?: RepeatedRequest) => Repeat> = {
  turn: (run) => (run.parentRunId === null && run.chatId !== null ? () => resendMessage(run) : undefined),
  'scheduled-task': () => undefined,
  'setup-sandbox': (run) => () => setUpSandbox(run),
  'commit-files': () => undefined,
  'create-content': (run) => async () =>
    toRunRoute(await recreateVideo(await readVideo(run.id), toAccountField(run.accountId))),
  'render-music': (run, request) => request && (() => createTrack(run, request)),
  'scrape-socials': (_, request) => request && (() => scrape(request)),
  'capture-play-counts': (run, request) => request && (() => measure(run, request)),
}

function toRunRoute(runId: string): StartedRunRoute {
  return { to: '/runs/$runId', runId }
}

async function runTask(id: string): Promise<StartedRunRoute> {
  return toRunRoute((await read(api.POST('/api/tasks/runs', { body: { id } }))).runId)
}

/** Sends the message of the run again, as the last message of its chat. */
async function resendMessage(run: RunToRepeat): Promise<StartedRunRoute> {
  return sendPrompt(run, await readPrompt(run))
}

/** Returns the message that a turn answered. Throws if it contains files or no longer exists. */
export function readPrompt({ id, sessionId, chatId }: RunToRepeat): Promise<string> {
  return findUserMessage({ sessionId: sessionId ?? '', chatId: chatId ?? '' }, id)
}

/** Sends a prompt to the chat of a turn. */
export async function sendPrompt({ accountId, chatId }: RunToRepeat, prompt: string): Promise<StartedRunRoute> {
  const { account_id: owner } = toAccountField(accountId)
  const body = { chatId: chatId ?? '', prompt, ...(owner !== undefined && { accountId: owner }) }
  const response = await read(api.POST('/api/chat/runs', { body }))
  if (!('runId' in response)) throw new Error('The chat is busy.')
  return toRunRoute(response.runId)
}

async function setUpSandbox({ accountId }: RunToRepeat): Promise<StartedRunRoute> {
  return toRunRoute((await read(api.POST('/api/sandboxes/setup', { body: toAccountField(accountId) }))).runId)
}

type RepeatedRequest = Record<string, unknown>

/** Creates a track from the original request in the job's payload, which the API validates again. */
async function createTrack({ accountId }: RunToRepeat, request: RepeatedRequest): Promise<StartedRunRoute> {
  const body = { ...request, ...toAccountField(accountId) } as BodyOf<'postMusic'>
  await read(api.POST('/api/music', { body }))
  return { to: '/music' }
}

async function scrape({
  social_id: id,
  artist_account_id: artistId,
  posts,
}: RepeatedRequest): Promise<StartedRunRoute> {
  const options = typeof posts === 'number' ? { posts } : {}
  if (typeof id === 'string')
    return toRunRoute(
      (await read(api.POST('/api/socials/{id}/scrape', { params: { path: { id } }, body: options }))).runId,
    )
  const body = { artist_account_id: String(artistId), ...options }
  return toRunRoute((await read(api.POST('/api/artist/socials/scrape', { body }))).runId)
}

async function measure(
  { accountId }: RunToRepeat,
  { scope, streaming_artist_id: artist }: RepeatedRequest,
): Promise<StartedRunRoute> {
  if (typeof artist === 'string') return { to: '/valuation', artist }
  const body = { scope, source: 'current', ...toAccountField(accountId) } as BodyOf<'postResearchMeasurementJobs'>
  return toRunRoute((await read(api.POST('/api/research/measurement-jobs', { body }))).runId)
}

type BodyOf<O extends 'postMusic' | 'postResearchMeasurementJobs'> =
  operations[O]['requestBody']['content']['application/json']

function readRequest(payload: unknown): RepeatedRequest | undefined {
  return ((payload ?? {}) as { request?: RepeatedRequest }).request
}
