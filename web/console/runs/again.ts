import type { operations } from '../../../client/schema.ts'
import { actingAs } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { findQuestion } from '../chat/live/loading.ts'
import { makeAgain, readVideo } from '../content/videos.ts'

/** What of a run says how it is begun again. */
export type RunToRepeat = {
  id: string
  kind: string
  accountId: string
  sessionId: string | null
  chatId: string | null
  taskId: string | null
  parentRunId: string | null
}

/** Where a person sees what was begun. */
export type StartedRun = { to: '/runs/$runId'; runId: string } | { to: '/music' } | { to: '/valuation'; artist: string }

/** Begins the same again; undefined for what nothing begins, such as a commit of files that are gone. */
export function createRepeat(run: RunToRepeat, payload: unknown): (() => Promise<StartedRun>) | undefined {
  if (run.taskId !== null) return () => runTask(run.taskId ?? '')
  const asked = readRequest(payload)
  switch (run.kind) {
    case 'turn':
      return run.parentRunId === null && run.chatId !== null ? () => sendAgain(run) : undefined
    case 'setup-sandbox':
      return () => setUp(run)
    case 'create-content':
      return async () => ofRun(await makeAgain(await readVideo(run.id), actingAs(run.accountId)))
    case 'render-music':
      return asked && (() => makeTrack(run, asked))
    case 'scrape-socials':
      return asked && (() => scrape(asked))
    case 'capture-play-counts':
      return asked && (() => measure(run, asked))
    default:
      return undefined
  }
}

function ofRun(runId: string): StartedRun {
  return { to: '/runs/$runId', runId }
}

async function runTask(id: string): Promise<StartedRun> {
  return ofRun((await read(api.POST('/api/tasks/runs', { body: { id } }))).runId)
}

/** The same message once more, behind what was said since. */
async function sendAgain({ id, accountId, sessionId, chatId }: RunToRepeat): Promise<StartedRun> {
  const place = { sessionId: sessionId ?? '', chatId: chatId ?? '' }
  const prompt = await findQuestion(place, id)
  const { account_id: owner } = actingAs(accountId)
  const body = { chatId: place.chatId, prompt, ...(owner !== undefined && { accountId: owner }) }
  const begun = await read(api.POST('/api/chat/runs', { body }))
  if (!('runId' in begun)) throw new Error('The chat is busy.')
  return ofRun(begun.runId)
}

async function setUp({ accountId }: RunToRepeat): Promise<StartedRun> {
  return ofRun((await read(api.POST('/api/sandboxes/setup', { body: actingAs(accountId) }))).runId)
}

type RepeatedRequest = Record<string, unknown>

/** The payload of a job contains its original request, which the API validates again. */
async function makeTrack({ accountId }: RunToRepeat, asked: RepeatedRequest): Promise<StartedRun> {
  const body = { ...asked, ...actingAs(accountId) } as BodyOf<'postMusic'>
  await read(api.POST('/api/music', { body }))
  return { to: '/music' }
}

async function scrape({ social_id: id, artist_account_id: artistId, posts }: RepeatedRequest): Promise<StartedRun> {
  const wanted = typeof posts === 'number' ? { posts } : {}
  if (typeof id === 'string')
    return ofRun((await read(api.POST('/api/socials/{id}/scrape', { params: { path: { id } }, body: wanted }))).runId)
  const body = { artist_account_id: String(artistId), ...wanted }
  return ofRun((await read(api.POST('/api/artist/socials/scrape', { body }))).runId)
}

async function measure(
  { accountId }: RunToRepeat,
  { scope, streaming_artist_id: artist }: RepeatedRequest,
): Promise<StartedRun> {
  if (typeof artist === 'string') return { to: '/valuation', artist }
  const body = { scope, source: 'current', ...actingAs(accountId) } as BodyOf<'postResearchMeasurementJobs'>
  return ofRun((await read(api.POST('/api/research/measurement-jobs', { body }))).runId)
}

type BodyOf<O extends 'postMusic' | 'postResearchMeasurementJobs'> =
  operations[O]['requestBody']['content']['application/json']

function readRequest(payload: unknown): RepeatedRequest | undefined {
  const { asked } = (payload ?? {}) as { asked?: RepeatedRequest }
  return asked
}
