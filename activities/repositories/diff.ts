import { findDiffState, saveDiff, type DiffState } from '../../db/sessions/diffs.ts'
import { readRun } from '../../db/runs/runs.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import { findCommit } from '../../db/turns/commit.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import type { Diff } from '../../domain/repositories/diff.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { openSessionSandbox } from '../sandboxes/session.ts'
import { diffFiles } from './plain.ts'
import { readPlainTree } from './plain-tree.ts'
import { diffWorkTree } from './work-tree.ts'

type DiffDeps = Pick<
  ActivityDeps,
  'db' | 'codeHost' | 'sandboxes' | 'platform' | 'settings' | 'wakeSandbox' | 'prepareBase' | 'log'
>

const limitMs = 15_000
const nothing: Diff = { files: [], summary: { totalFiles: 0, totalAdditions: 0, totalDeletions: 0 } }

export function createDiffActivities(deps: DiffDeps) {
  return {
    /** Stores the current branch, diff and line counts of a session. Safe to run again: it reads and replaces. */
    computeDiff: ({ sessionId }: { sessionId: string }): Promise<void> => withHeartbeat(() => compute(deps, sessionId)),

    /** Stores the diff at the end of a turn. After a failure the old values stay. Safe to run again. */
    recordDiff: ({ runId }: { runId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const { sessionId } = await readRun(deps.db, runId)
        try {
          await compute(deps, sessionId, runId)
        } catch (error) {
          deps.log.warn({ runId, err: error }, 'failed to compute the diff of a session')
        }
      }),
  }
}

async function compute(deps: DiffDeps, sessionId: string, runId?: string): Promise<void> {
  const known = await findDiffState(deps.db, sessionId)
  const commit = runId === undefined ? undefined : await findCommit(deps.db, runId)
  const { sandbox } = await openSessionSandbox(deps, sessionId)
  const signal = AbortSignal.timeout(limitMs)
  const found = await diffWorkTree(sandbox, {
    base: known?.baseCommit ?? undefined,
    maxFileBytes: deps.codeHost.maxFileBytes,
    pushed: (commit?.pushed === true ? commit.commitSha : null) ?? undefined,
    signal,
  })
  const tree = found === 'no git' ? await plainDiff(deps, sessionId, { sandbox, known, signal }) : found
  await saveDiff(deps.db, sessionId, {
    diff: storableJson(tree?.diff ?? nothing) as Diff,
    branch: tree?.branch ?? null,
    commit: tree?.isClean === true ? tree.head : null,
    ...(runId !== undefined && { runId }),
  })
}

async function plainDiff(
  deps: DiffDeps,
  sessionId: string,
  { sandbox, known, signal }: { sandbox: Sandbox; known: DiffState | undefined; signal: AbortSignal },
) {
  const session = await findSession(deps.db, sessionId)
  const tree = session && (await readPlainTree(deps, session, sandbox))
  return tree && diffFiles(tree, { against: known?.baseCommit ?? tree.base, signal })
}
