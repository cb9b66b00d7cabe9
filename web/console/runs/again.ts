import type { operations } from '../../../client/schema.ts'
import type { RunKind } from '../../../domain/jobs/kinds.ts'
import { toAccountField } from '../access/acting.ts'
import { api, type Schemas } from '../access/api.ts'
import { findUserMessage } from '../chat/live/loading.ts'
import { recreateVideo, readVideo } from '../content/videos.ts'

type Run = Schemas['ListedRun']

/** Route to the page that shows the repeated run. */
type StartedRunRoute = { to: string; search?: { artist: string } }

/** Returns a function that repeats the run; undefined for a run that cannot be repeated, such as a commit of files. */
export function createRepeat(run: Run, payload: unknown): (() => Promise<StartedRunRoute>) | undefined {
  const { taskId: id } = run
  if (id !== null) return () => start(api.POST('/api/tasks/runs', { body: { id } }))
  return repeats[run.kind as RunKind]?.(run, (payload as { request?: RepeatedRequest } | undefined)?.request)
}

type Repeat = ReturnType<typeof createRepeat>

/** Original request in the job's payload, which the API validates again. */
type RepeatedRequest = Record<string, unknown>

const repeats: Record<RunKind, (run: Run, request?: RepeatedRequest) => Repeat> = {
  turn: (run) =>
    run.parentRunId === null && run.chatId !== null ? async () => sendPrompt(run, await readPrompt(run)) : undefined,
  'scheduled-task': () => undefined,
  'setup-sandbox':
    ({ accountId }) =>
    () =>
      start(api.POST('/api/sandboxes/setup', { body: toAccountField(accountId) })),
  'commit-files': () => undefined,
  'create-content': (run) => async () =>
    toRoute(await recreateVideo(await readVideo(run.id), toAccountField(run.accountId))),
  'render-music': (run, request) => request && (() => createTrack(run, request)),
  'scrape-socials': (_, request) => request && (() => scrape(request)),
  'capture-play-counts': (run, request) => request && (() => measure(run, request)),
}

async function start(call: Promise<{ runId: string }>): Promise<StartedRunRoute> {
  return toRoute((await call).runId)
}

function toRoute(runId: string): StartedRunRoute {
  return { to: `/runs/${runId}` }
}

/** Returns the message that a turn answered. Throws if it contains files or no longer exists. */
export function readPrompt({ id, sessionId, chatId }: Run): Promise<string> {
  return findUserMessage({ sessionId: sessionId ?? '', chatId: chatId ?? '' }, id)
}

/** Sends a prompt to the chat of a turn. */
export async function sendPrompt({ accountId, chatId }: Run, prompt: string): Promise<StartedRunRoute> {
  const body = { chatId: chatId ?? '', prompt, accountId: toAccountField(accountId).account_id }
  const response = await api.POST('/api/chat/runs', { body })
  if (!('runId' in response)) throw new Error('The chat is busy.')
  return toRoute(response.runId)
}

async function createTrack({ accountId }: Run, request: RepeatedRequest): Promise<StartedRunRoute> {
  const body = { ...request, ...toAccountField(accountId) } as BodyOf<'postMusic'>
  await api.POST('/api/music', { body })
  return { to: '/music' }
}

function scrape({ social_id: id, artist_account_id: artistId, posts }: RepeatedRequest): Promise<StartedRunRoute> {
  const options = typeof posts === 'number' ? { posts } : {}
  if (typeof id === 'string') return start(api.POST('/api/socials/{id}/scrape', { path: { id }, body: options }))
  return start(api.POST('/api/artist/socials/scrape', { body: { artist_account_id: String(artistId), ...options } }))
}

async function measure({ accountId }: Run, { scope, streaming_artist_id: artist }: RepeatedRequest) {
  if (typeof artist === 'string') return { to: '/valuation', search: { artist } }
  const body = { scope, source: 'current', ...toAccountField(accountId) } as BodyOf<'postResearchMeasurementJobs'>
  return start(api.POST('/api/research/measurement-jobs', { body }))
}

type BodyOf<O extends 'postMusic' | 'postResearchMeasurementJobs'> =
  operations[O]['requestBody']['content']['application/json']
