import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../../../db/postgres/client.ts'
import { collectStore, listSessions } from './collect-store.ts'
import { collectWorkflows } from './collect-workflows.ts'
import type { OutsideWorld } from '../outside/outside.ts'
import type { Effect, Fault, MemorySample, Operation, Records } from './records.ts'
import type { Workload } from '../users/workload.ts'

/** Where the parts keep their state. */
export type Sources = {
  db: Pool
  temporalAddress: string
  namespace: string
  /** `DATA_DIR/sandboxes`. */
  sandboxRoot: string
}

const effectsFile = 'effects.txt'
const largestEffectsFile = 64 * 1024 * 1024

/** Reads the file that commands wrote; a symbolic link is not followed. */
const readEffects = async (workspace: string): Promise<string> => {
  try {
    if (!(await lstat(workspace)).isDirectory()) return ''
    const file = await open(
      join(workspace, effectsFile),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      const { size } = await file.stat()
      if (size > largestEffectsFile) throw new Error(`${workspace}: ${effectsFile} has ${size} bytes`)
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

/**
 * Counts the tokens in the sandboxes of the sessions; an expected token that is nowhere counts 0. Later sessions clone
 * the files that one session pushed, so the sandbox with the most of a token shows how often its effect
 * happened.
 */
const collectEffects = async (
  sandboxRoot: string,
  sessionIds: readonly string[],
  operations: readonly Operation[],
): Promise<Effect[]> => {
  const counts = new Map<string, number>()
  for (const { effectTokens = [] } of operations) for (const token of effectTokens) counts.set(token, 0)
  for (const sessionId of sessionIds) {
    const text = await readEffects(join(sandboxRoot, `session-${sessionId}`, 'workspace'))
    const here = new Map<string, number>()
    for (const token of text.split('\n').filter(Boolean)) here.set(token, (here.get(token) ?? 0) + 1)
    for (const [token, count] of here) counts.set(token, Math.max(count, counts.get(token) ?? 0))
  }
  return [...counts].map(([token, count]) => ({ token, count }))
}

/** Reads every source when the work is at rest. Only runs accepted since `startedAt` count. */
export const collectRecords = async (from: {
  seed: number
  startedAt: number
  workload: Pick<Workload, 'operations' | 'readings'>
  outside: Pick<OutsideWorld, 'requests'>
  cluster: Sources
  faults: Fault[]
  samples: MemorySample[]
}): Promise<Records> => {
  const { seed, startedAt, workload, outside, cluster, faults, samples } = from
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
    outside: outside.requests.filter((request) => request.at >= startedAt),
    effects: await collectEffects(cluster.sandboxRoot, sessions, workload.operations),
    samples: samples.filter((sample) => sample.at >= startedAt),
    store,
    workflows,
  }
}
