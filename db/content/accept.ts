import { randomInt } from 'node:crypto'
import type { ContentOptions } from '../../domain/content/request.ts'
import type { ContentProgress } from '../../domain/content/runs.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { acceptJobs, type JobTerms, type NewPaidJob } from '../jobs/paid.ts'
import type { Tx } from '../postgres/client.ts'
import { contentJobKind } from './job.ts'

/** `creditsPerVideo`: the price at acceptance, which later price changes do not affect. */
export type ContentPayload = {
  artist_account_id: string
  template: string
  lipsync: boolean
  upscale: boolean
  caption_length: string
  creditsPerVideo: number
}

type NewContent = {
  artist: { id: string; name: string }
  options: ContentOptions
  batch: number
  creditsPerVideo: number
}

/** Exclusive upper bound of the random position at which a batch starts its rotation through images and songs. */
const maxFirstTurn = 1000

/**
 * Stores the runs of a batch, each with a hold on the paying account and a background run. Returns their ids. Throws
 * `InsufficientCreditsError`.
 */
export async function acceptContent(tx: Tx, terms: JobTerms, content: NewContent): Promise<string[]> {
  const firstTurn = randomInt(maxFirstTurn)
  const jobs = Array.from({ length: content.batch }, (_, index) => newRun(tx, terms, content, firstTurn + index))
  await acceptJobs(tx, contentJobKind, terms, { price: content.creditsPerVideo, jobs })
  return jobs.map(({ id }) => id)
}

function newRun(
  tx: Tx,
  { accountId }: JobTerms,
  { artist, options, creditsPerVideo }: NewContent,
  turn: number,
): NewPaidJob {
  const id = newJobId()
  const { template, lipsync, upscale, captionLength: caption_length } = options
  const payload: ContentPayload = {
    artist_account_id: artist.id,
    template,
    lipsync,
    upscale,
    caption_length,
    creditsPerVideo,
  }
  const metadata: ContentProgress = { stage: 'waiting', message: null }
  const insert = () => tx`
    insert into content_runs (run_id, account_id, artist_account_id, artist_name, wish, turn)
    values (${id}, ${accountId}, ${artist.id}, ${artist.name}, ${JSON.stringify(options)}::text::jsonb, ${turn})`
  return {
    id,
    keys: [id],
    payload,
    metadata,
    title: `A video for ${artist.name}`,
    tags: [`artist:${artist.id}`],
    insert,
  }
}
