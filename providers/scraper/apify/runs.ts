import type { ActorRunListItem, ApifyClient } from 'apify-client'
import type { ScraperRunState } from '../../../domain/scrapers/requests.ts'
import type { ScraperRun } from '../index.ts'

const states: Record<string, ScraperRunState> = {
  READY: 'queued',
  RUNNING: 'running',
  'TIMING-OUT': 'running',
  ABORTING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  'TIMED-OUT': 'failed',
  ABORTED: 'aborted',
}

type Run = { id: string; status: string; usageTotalUsd?: number | undefined }

/** Converts a run. An unknown status becomes `running`. */
export function toRun({ id, status, usageTotalUsd }: Run): ScraperRun {
  return {
    providerRunId: id,
    state: states[status] ?? 'running',
    costUsd: usageTotalUsd === undefined ? null : usageTotalUsd.toFixed(6),
  }
}

/** Input member for the idempotency key of a run, because Apify has no idempotency keys. */
export const keyMember = 'backlineKey'

const pageSize = 100
const maxConcurrentReads = 8
/** Maximum age of the runs to search. No job waits longer for its run. */
const maxAgeMs = 2 * 24 * 60 * 60 * 1000

/** Finds the actor's newest run that has this key, among the runs of the last two days. */
export async function findRun(client: ApifyClient, actorId: string, key: string): Promise<ScraperRun | undefined> {
  const since = Date.now() - maxAgeMs
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await client.actor(actorId).runs().list({ desc: true, offset, limit: pageSize })
    const recent = items.filter(({ startedAt }) => startedAt.getTime() >= since)
    for (let index = 0; index < recent.length; index += maxConcurrentReads) {
      const runs = recent.slice(index, index + maxConcurrentReads)
      const matches = await Promise.all(runs.map((run) => hasKey(client, run, key)))
      const run = runs[matches.indexOf(true)]
      if (run !== undefined) return toRun(run)
    }
    if (recent.length < pageSize) return undefined
  }
}

async function hasKey(client: ApifyClient, run: ActorRunListItem, key: string): Promise<boolean> {
  const record = await client.keyValueStore(run.defaultKeyValueStoreId).getRecord('INPUT')
  const input: unknown = record?.value
  return typeof input === 'object' && input !== null && (input as Record<string, unknown>)[keyMember] === key
}
