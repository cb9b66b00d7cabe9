import { readArtistName } from '../../../db/artists/artists.ts'
import { findArtist } from '../../../db/artists/links.ts'
import { acceptContent } from '../../../db/content/accept.ts'
import { InsufficientCreditsError } from '../../../db/credits/ledger.ts'
import { lockMention, markMentionDone, type MentionEvent } from '../../../db/content/agent/events.ts'
import { insertPosts } from '../../../db/content/agent/posts.ts'
import { beginThread, lockThread } from '../../../db/content/agent/threads.ts'
import { insertJob } from '../../../db/jobs/jobs.ts'
import { findRelation, canReachArtist } from '../../../db/organizations/organizations.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import { findAccountSnapshot } from '../../../db/sandboxes/snapshots.ts'
import { parseMention, type MentionRequest } from '../../../domain/content/agent/mention.ts'
import { acknowledgement, refusals, unknownTemplate } from '../../../domain/content/agent/posts.ts'
import { contentJob, pollJob } from '../../../domain/content/runs.ts'
import { isTemplate } from '../../../domain/content/templates/index.ts'
import { newJobId } from '../../../domain/fields/ids.ts'
import type { ContentDeps } from '../deps.ts'

type Job = { id: string; jobKind: string }
/** The reply to post, and the jobs to start once the reply is stored. */
type MentionResult = { text: string; jobs: Job[] }

/** A mention with its account and artist. */
type ResolvedMention = MentionRequest & { accountId: string; artist: { id: string; name: string } }

export function createMentionActivities(deps: ContentDeps) {
  const { db, content, taskRuns, log } = deps

  const findReachableArtist = async (tx: Tx, accountId: string, artistId: string) => {
    if ((await findArtist(tx, artistId)) === undefined) return undefined
    const { adminOrganizationId } = content
    const isReachable =
      (await canReachArtist(tx, accountId, artistId)) ||
      (await findRelation(tx, { callerId: accountId, targetId: artistId, adminOrganizationId }))?.isAdmin === true
    const name = isReachable ? await readArtistName(tx, { accountId }, artistId) : null
    return name === null ? undefined : { id: artistId, name }
  }

  /** Stores the runs of a mention and the run that polls them. Throws `InsufficientCreditsError`. */
  const accept = async (tx: Tx, { threadId }: MentionEvent, mention: ResolvedMention): Promise<Job[]> => {
    const { accountId, artist, template, batch, lipsync } = mention
    const options = { template, lipsync, upscale: false, captionLength: 'none' as const, songs: [], images: [] }
    const { creditsPerVideo } = content
    const usage = { source: 'api' as const, modelId: 'POST /api/content-agent/{platform}' }
    const { buildId, plans } = taskRuns
    const terms = { accountId, usage, plans, buildId }
    const runIds = await acceptContent(tx, terms, { artist, options, batch, creditsPerVideo })
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

  const decide = async (tx: Tx, event: MentionEvent): Promise<MentionResult> => {
    const accountId = content.accounts[event.workspaceId]
    if (accountId === undefined) return rejectWith(refusals.notLinked)
    if (await lockThread(tx, event.threadId)) return rejectWith(refusals.working)
    const request = parseMention(event.text)
    if (request.artistId === undefined) return rejectWith(refusals.usage)
    if (!isTemplate(request.template)) return rejectWith(unknownTemplate(request.template))
    const artist = await findReachableArtist(tx, accountId, request.artistId)
    if (artist === undefined) return rejectWith(refusals.unknownArtist)
    if (((await findAccountSnapshot(tx, accountId))?.githubRepo ?? null) === null) return rejectWith(refusals.noSources)
    try {
      const jobs = await tx.savepoint((sp) => accept(sp, event, { ...request, accountId, artist }))
      return { text: acknowledgement(request, artist.name), jobs }
    } catch (error) {
      if (error instanceof InsufficientCreditsError) return rejectWith(refusals.notCovered)
      throw error
    }
  }

  return {
    /**
     * Stores the reply to a mention and its runs in one transaction, then starts the jobs. Safe to run again: a mention is
     * accepted once, and the sweeper starts jobs that were not started.
     */
    acceptMention: async ({ eventId }: { eventId: string }): Promise<void> => {
      const acceptance = await db.begin(async (tx) => {
        const event = await lockMention(tx, eventId)
        if (event === undefined) return undefined
        const { text, jobs } = await decide(tx, event)
        await insertPosts(tx, event.threadId, [{ key: `answer:${eventId}`, text }])
        await markMentionDone(tx, eventId)
        return { threadId: event.threadId, jobs }
      })
      if (acceptance === undefined) return
      const starting = [
        content.engine.deliverPosts(acceptance.threadId),
        ...acceptance.jobs.map((job) => content.engine.startJob(job)),
      ]
      await Promise.all(starting).catch((err: unknown) =>
        log.warn({ err, eventId }, 'failed to start the jobs or the reply of a mention; the sweeper retries'),
      )
    },
  }
}

function rejectWith(text: string): MentionResult {
  return { text, jobs: [] }
}
