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

/** A state that is not known is one that may still change. */
export function toRun({ id, status, usageTotalUsd }: Run): ScraperRun {
  return {
    providerRunId: id,
    state: states[status] ?? 'running',
    costUsd: usageTotalUsd === undefined ? null : usageTotalUsd.toFixed(6),
  }
}

/** Field of a run's input with the key of the run, because Apify has no idempotency keys. */
export const keyMember = 'backlineKey'

const pageSize = 100
const maxConcurrentReads = 8
/** A run that is older was for nothing that continues. */
const maxAgeMs = 2 * 24 * 60 * 60 * 1000

/** The newest run of the actor, of those of two days, that was started under the key. */
export async function findRun(client: ApifyClient, actorId: string, key: string): Promise<ScraperRun | undefined> {
  const since = Date.now() - maxAgeMs
  for (let offset = 0; ; offset += pageSize) {
    const { items } = await client.actor(actorId).runs().list({ desc: true, offset, limit: pageSize })
    const recent = items.filter(({ startedAt }) => startedAt.getTime() >= since)
    for (let at = 0; at < recent.length; at += maxConcurrentReads) {
      const runs = recent.slice(at, at + maxConcurrentReads)
      const found = await Promise.all(runs.map((run) => hasKey(client, run, key)))
      const run = runs[found.indexOf(true)]
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
