import { readArtistName } from '../../../db/artists/artists.ts'
import { findArtist } from '../../../db/artists/links.ts'
import { acceptContent } from '../../../db/content/accept.ts'
import { InsufficientCreditsError } from '../../../db/credits/ledger.ts'
import { lockMention, markMentionDone, type MentionEvent } from '../../../db/content/agent/events.ts'
import { insertPosts } from '../../../db/content/agent/posts.ts'
import { beginThread, lockThread } from '../../../db/content/agent/threads.ts'
import { insertJob } from '../../../db/jobs/jobs.ts'
import { findReach, reachesArtist } from '../../../db/organizations/organizations.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import { findAccountSnapshot } from '../../../db/sandboxes/snapshots.ts'
import { parseMention, type MentionWish } from '../../../domain/content/agent/mention.ts'
import { acknowledgement, refusals, unknownTemplate } from '../../../domain/content/agent/posts.ts'
import { contentJob, pollJob } from '../../../domain/content/runs.ts'
import { isTemplate } from '../../../domain/content/templates/index.ts'
import { newJobId } from '../../../domain/fields/ids.ts'
import type { ContentDeps } from '../deps.ts'

type Job = { id: string; jobKind: string }
/** The reply to post, and the jobs to start once it is stored. */
type Answer = { text: string; jobs: Job[] }

type Known = MentionWish & { accountId: string; artist: { id: string; name: string } }

export function createMentionActivities(deps: ContentDeps) {
  const { db, content, billing, taskRuns, log } = deps

  const findReachableArtist = async (tx: Tx, accountId: string, artistId: string) => {
    if ((await findArtist(tx, artistId)) === undefined) return undefined
    const { adminOrganizationId } = content
    const isReached =
      (await reachesArtist(tx, accountId, artistId)) ||
      (await findReach(tx, { callerId: accountId, targetId: artistId, adminOrganizationId }))?.isAdmin === true
    const name = isReached ? await readArtistName(tx, { accountId }, artistId) : null
    return name === null ? undefined : { id: artistId, name }
  }

  /** Creates the runs and the run that polls them. Throws `InsufficientCreditsError`. */
  const accept = async (tx: Tx, { threadId }: MentionEvent, known: Known): Promise<Job[]> => {
    const { accountId, artist, template, batch, lipsync } = known
    const wish = { template, lipsync, upscale: false, captionLength: 'none' as const, songs: [], images: [] }
    const { creditsPerVideo } = content
    const usage = { source: 'api' as const, modelId: 'POST /api/content-agent/{platform}' }
    const { buildId } = taskRuns
    const terms = { accountId, usage, plans: billing.plans, buildId }
    const runIds = await acceptContent(tx, terms, { artist, wish, batch, creditsPerVideo })
    const pollRunId = newJobId()
    await insertJob(tx, {
      id: pollRunId,
      accountId,
      jobKind: pollJob,
      cancellable: false,
      version: buildId,
      payload: { thread_id: threadId, run_ids: runIds },
      title: `Videos for ${artist.name}`,
    })
    await beginThread(tx, { threadId, accountId, artistId: artist.id, template, lipsync, runIds, pollRunId })
    const videos = runIds.map((id) => ({ id, jobKind: contentJob }))
    return [...videos, { id: pollRunId, jobKind: pollJob }]
  }

  const answer = async (tx: Tx, event: MentionEvent): Promise<Answer> => {
    const accountId = content.accounts[event.workspaceId]
    if (accountId === undefined) return refuse(refusals.notLinked)
    if (await lockThread(tx, event.threadId)) return refuse(refusals.working)
    const wish = parseMention(event.text)
    if (wish.artistId === undefined) return refuse(refusals.usage)
    if (!isTemplate(wish.template)) return refuse(unknownTemplate(wish.template))
    const artist = await findReachableArtist(tx, accountId, wish.artistId)
    if (artist === undefined) return refuse(refusals.unknownArtist)
    if (((await findAccountSnapshot(tx, accountId))?.githubRepo ?? null) === null) return refuse(refusals.noSources)
    try {
      const jobs = await tx.savepoint((sp) => accept(sp, event, { ...wish, accountId, artist }))
      return { text: acknowledgement(wish, artist.name), jobs }
    } catch (error) {
      if (error instanceof InsufficientCreditsError) return refuse(refusals.notCovered)
      throw error
    }
  }

  return {
    /**
     * Stores the result of a mention, a reply and possibly runs, in one transaction, and starts the jobs. Safe to run
     * again: a mention is accepted once.
     */
    acceptMention: async ({ eventId }: { eventId: string }): Promise<void> => {
      const done = await db.begin(async (tx) => {
        const event = await lockMention(tx, eventId)
        if (event === undefined) return undefined
        const { text, jobs } = await answer(tx, event)
        await insertPosts(tx, event.threadId, [{ key: `answer:${eventId}`, text }])
        await markMentionDone(tx, eventId)
        return { threadId: event.threadId, jobs }
      })
      if (done === undefined) return
      const starting = [
        content.engine.deliverPosts(done.threadId),
        ...done.jobs.map((job) => content.engine.startJob(job)),
      ]
      await Promise.all(starting).catch((err: unknown) =>
        log.warn({ err, eventId }, 'the jobs of a mention could not be started; the sweeper starts them'),
      )
    },
  }
}

function refuse(text: string): Answer {
  return { text, jobs: [] }
}
