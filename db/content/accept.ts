import { randomInt } from 'node:crypto'
import type { ContentWish } from '../../domain/content/request.ts'
import { contentHoldMs, contentJob, contentReference, type ContentProgress } from '../../domain/content/runs.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { holdCredits, NotCovered, type Usage } from '../credits/ledger.ts'
import { insertJob } from '../jobs/jobs.ts'
import type { Tx } from '../postgres/client.ts'

/** `creditsPerVideo`: the price at acceptance, which later price changes do not affect. */
export type ContentPayload = {
  artist_account_id: string
  template: string
  lipsync: boolean
  upscale: boolean
  caption_length: string
  creditsPerVideo: number
  usage: Usage
}

export type NewContent = {
  /** The account that owns the videos and pays. */
  accountId: string
  artist: { id: string; name: string }
  wish: ContentWish
  batch: number
  creditsPerVideo: number
  usage: Usage
  plans: PlanRules
  buildId: string
}

/** Images and songs are used in rotation from a random start. */
const turns = 1000

/** Stores every run of a batch with its hold and its background run. Returns their ids. Throws `NotCovered`. */
export async function acceptContent(tx: Tx, given: NewContent): Promise<string[]> {
  const runIds = Array.from({ length: given.batch }, newJobId)
  await holdAll(tx, given, runIds)
  const firstTurn = randomInt(turns)
  for (const [place, runId] of runIds.entries()) await insertRun(tx, given, { runId, turn: firstTurn + place })
  return runIds
}

async function holdAll(tx: Tx, given: NewContent, runIds: readonly string[]): Promise<void> {
  const { accountId, creditsPerVideo: amount, plans } = given
  if (amount === 0) return
  for (const [done, runId] of runIds.entries()) {
    const hold = { accountId, amount, reference: contentReference(runId), lifetimeMs: contentHoldMs, plans }
    const gate = await holdCredits(tx, hold)
    if (!gate.covered) throw new NotCovered(gate.available + done * amount, runIds.length * amount)
  }
}

async function insertRun(tx: Tx, given: NewContent, { runId, turn }: { runId: string; turn: number }): Promise<void> {
  const { accountId, artist, wish, creditsPerVideo, usage, buildId: version } = given
  const { template, lipsync, upscale, captionLength } = wish
  await tx`
    insert into content_runs (run_id, account_id, artist_account_id, artist_name, wish, turn)
    values (${runId}, ${accountId}, ${artist.id}, ${artist.name}, ${JSON.stringify(wish)}::text::jsonb, ${turn})`
  const payload: ContentPayload = {
    artist_account_id: artist.id,
    template,
    lipsync,
    upscale,
    caption_length: captionLength,
    creditsPerVideo,
    usage: { ...usage, runId },
  }
  const metadata: ContentProgress = { stage: 'waiting', message: null }
  await insertJob(tx, {
    id: runId,
    accountId,
    taskIdentifier: contentJob,
    cancellable: true,
    version,
    payload,
    metadata,
    title: `A video for ${artist.name}`,
    tags: [`artist:${artist.id}`],
  })
}
