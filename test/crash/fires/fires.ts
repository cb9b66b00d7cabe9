import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ScheduleOverlapPolicy } from '@temporalio/client'
import { connectClient } from '../../../engine/connect.ts'
import { makePerson, type Person } from '../../world/people.ts'
import { eventually } from '../../world/world.ts'
import type { Cluster } from '../cluster/cluster.ts'

/** Settings of a cluster whose tasks may be due every minute and get a sandbox immediately. */
export const fireSettings = {
  SANDBOX_PROVIDER: 'just-bash',
  PLAN_OVERRIDES: JSON.stringify({ free: { taskLimit: 1000, minGapMinutes: 1 } }),
}

type ApiResponse = { status: number; body: Record<string, unknown> }
type Owner = Person
export type DueTask = { owner: Owner; id: string }

const responseTimeoutMs = 60_000
const credits = 1_000_000_000

/** Repeats a request to a ready API until it responds without an internal error. */
const sendRequest = (
  cluster: Cluster,
  owner: Owner,
  method: string,
  path: string,
  body?: object,
): Promise<ApiResponse> => {
  const headers = { 'x-api-key': owner.key, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  return eventually(
    `a response to ${method} ${path}`,
    async () => {
      const [url] = cluster.apiUrls()
      if (url === undefined) return undefined
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const response = await fetch(url + path, init).catch(() => undefined)
      const text = await response?.text().catch(() => undefined)
      if (response === undefined || text === undefined || response.status >= 500 || response.status === 409)
        return undefined
      return { status: response.status, body: JSON.parse(text) as ApiResponse['body'] }
    },
    responseTimeoutMs,
  )
}

const requireOk = ({ status, body }: ApiResponse): ApiResponse['body'] => {
  if (status >= 300) throw new Error(`refused: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Creates a client of the task owners that works while faults affect the cluster. */
export const createFiresApi = (cluster: Cluster) => ({
  makeTask: async (schedule: string): Promise<DueTask> => {
    const owner = await makePerson(cluster.db, cluster.serverSecret, { credits })
    const [artist] = await cluster.db<{ id: string }[]>`
      insert into accounts (kind, name) values ('artist', 'Artist') returning id`
    const artistId = artist?.id ?? ''
    await cluster.db`insert into account_artist_ids (account_id, artist_id) values (${owner.id}, ${artistId})`
    const title = `Due ${schedule}`
    const body = { title, prompt: '@say done', schedule, artist_account_id: artistId, model: 'local/assistant' }
    const { tasks } = requireOk(await sendRequest(cluster, owner, 'POST', '/api/tasks', body)) as {
      tasks: { id: string }[]
    }
    return { owner, id: tasks[0]?.id ?? '' }
  },

  disable: async ({ owner, id }: DueTask): Promise<void> => {
    requireOk(await sendRequest(cluster, owner, 'PATCH', '/api/tasks', { id, enabled: false }))
  },

  /** Makes the engine fire the nominal times of a period, as it does for missed times. */
  fire: async (tasks: DueTask[], span: { start: Date; end: Date }): Promise<void> => {
    const engine = await connectClient({ address: cluster.temporalAddress, namespace: cluster.namespace, tls: false })
    try {
      for (const { id } of tasks)
        await engine.client.schedule
          .getHandle(`task:${id}`)
          .backfill({ ...span, overlap: ScheduleOverlapPolicy.ALLOW_ALL })
    } finally {
      await engine.close()
    }
  },

  /** Waits until `runCount` runs exist and all have ended. */
  untilEnded: async (runCount: number, timeoutMs: number): Promise<void> => {
    await eventually(
      `the end of ${runCount} runs`,
      async () => {
        const [row] = await cluster.db<{ count: number; live: number }[]>`
          select count(*)::int as count, count(*) filter (where finished_at is null)::int as live
          from background_runs where nominal_at is not null`
        if (row !== undefined && row.count >= runCount && row.live === 0) return true
        await sleep(100)
        return undefined
      },
      timeoutMs,
    )
  },
})

export type FireRow = { taskId: string; nominalAt: Date; createdAt: Date; status: string; chatRuns: number }

export const listFires = (cluster: Cluster): Promise<FireRow[]> => cluster.db<FireRow[]>`
  select task_id as "taskId", nominal_at as "nominalAt", created_at as "createdAt", status,
    (select count(*)::int from runs where runs.background_run_id = background_runs.id) as "chatRuns"
  from background_runs where nominal_at is not null order by nominal_at`

const toKey = (taskId: string, at: Date): string => `${taskId} at ${at.toISOString()}`

/** Lists violations of the rule that each time in `due`, and no other, has one completed run with one chat run. */
export const listAnomalies = (rows: readonly FireRow[], due: ReadonlyMap<string, Date[]>): string[] => {
  const counts = new Map<string, number>()
  for (const { taskId, nominalAt } of rows) {
    const key = toKey(taskId, nominalAt)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const expectedKeys = new Set([...due].flatMap(([taskId, times]) => times.map((at) => toKey(taskId, at))))
  return [
    ...[...expectedKeys].filter((key) => !counts.has(key)).map((key) => `${key}: no run`),
    ...[...counts].filter(([key]) => !expectedKeys.has(key)).map(([key]) => `${key}: a run that was not due`),
    ...[...counts].filter(([, count]) => count > 1).map(([key, count]) => `${key}: ${count} runs`),
    ...rows
      .filter(({ status, chatRuns }) => status !== 'COMPLETED' || chatRuns !== 1)
      .map(
        ({ taskId, nominalAt, status, chatRuns }) =>
          `${toKey(taskId, nominalAt)}: ${status} with ${chatRuns} chat runs`,
      ),
  ]
}
