import { constants, existsSync } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../../../db/postgres/client.ts'
import { collectStore, listSessions } from './collect-store.ts'
import { collectWorkflows } from './collect-workflows.ts'
import type { ExternalServices } from '../external-services/services.ts'
import type { Effect, Fault, MemorySample, Operation, Records, SandboxRecord, Workload } from './records.ts'

/** Locations of the state of all parts. */
export type Sources = {
  db: Pool
  temporalAddress: string
  namespace: string
  /** Paths of `DATA_DIR/sandboxes`, one for each machine. */
  sandboxRoots: () => string[]
}

const effectsFile = 'effects.txt'
const maxEffectsBytes = 64 * 1024 * 1024

/** Reads the file that commands wrote. Does not follow a symbolic link. */
const readEffects = async (workspace: string): Promise<string> => {
  try {
    if (!(await lstat(workspace)).isDirectory()) return ''
    const file = await open(
      join(workspace, effectsFile),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      const { size } = await file.stat()
      if (size > maxEffectsBytes) throw new Error(`${workspace}: ${effectsFile} has ${size} bytes`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP') return ''
    throw error
  }
}

const findFolder = (sandboxRoot: string, sessionId: string): string => join(sandboxRoot, `session-${sessionId}`)

/**
 * Counts the tokens in the sandboxes of the sessions. A missing token counts 0. A session clones the files that
 * earlier sessions pushed, so the count of a token is the maximum over all sandboxes.
 */
const collectEffects = async (
  sandboxRoots: readonly string[],
  sessionIds: readonly string[],
  operations: readonly Operation[],
): Promise<Effect[]> => {
  const counts = new Map<string, number>()
  for (const { effectTokens = [] } of operations) for (const token of effectTokens) counts.set(token, 0)
  const folders = sandboxRoots.flatMap((root) => sessionIds.map((id) => findFolder(root, id)))
  for (const folder of folders) {
    const text = await readEffects(join(folder, 'workspace'))
    const localCounts = new Map<string, number>()
    for (const token of text.split('\n').filter(Boolean)) localCounts.set(token, (localCounts.get(token) ?? 0) + 1)
    for (const [token, count] of localCounts) counts.set(token, Math.max(count, counts.get(token) ?? 0))
  }
  return [...counts].map(([token, count]) => ({ token, count }))
}

const collectSandboxes = async ({ db, sandboxRoots }: Sources, sessionIds: string[]): Promise<SandboxRecord[]> => {
  const rows = await db<Omit<SandboxRecord, 'hasFiles'>[]>`
    select session_id as "sessionId", coalesce(epoch, 1) as epoch,
      (extract(epoch from lost_at) * 1000)::float8 as "lostAt"
    from unnest(${sessionIds}::text[]) as session_id
    left join sandbox_places on sandbox_name = 'session-' || session_id`
  const roots = sandboxRoots()
  return rows.map((row) => ({ ...row, hasFiles: roots.some((root) => existsSync(findFolder(root, row.sessionId))) }))
}

/** Collects the records from every source after all work has ended. Includes only runs accepted since `startedAt`. */
export const collectRecords = async (inputs: {
  seed: number
  startedAt: number
  workload: Pick<Workload, 'operations' | 'readings'>
  services: Pick<ExternalServices, 'requests'>
  cluster: Sources
  faults: Fault[]
  samples: MemorySample[]
}): Promise<Records> => {
  const { seed, startedAt, workload, services, cluster, faults, samples } = inputs
  const endedAt = Date.now()
  const store = await collectStore(cluster.db, startedAt)
  const [sessions, workflows] = await Promise.all([
    listSessions(cluster.db, startedAt),
    collectWorkflows(
      cluster,
      store.runs.map((run) => run.id),
    ),
  ])
  return {
    seed,
    startedAt,
    endedAt,
    operations: workload.operations,
    readings: workload.readings,
    faults: faults.filter((fault) => (fault.until ?? endedAt) >= startedAt),
    externalRequests: services.requests.filter((request) => request.at >= startedAt),
    effects: await collectEffects(cluster.sandboxRoots(), sessions, workload.operations),
    sandboxes: await collectSandboxes(cluster, sessions),
    samples: samples.filter((sample) => sample.at >= startedAt),
    store,
    workflows,
  }
}
