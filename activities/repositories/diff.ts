import { findDiffState, saveDiff, type DiffState } from '../../db/sessions/diffs.ts'
import { readRun } from '../../db/runs/runs.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import { findCommit } from '../../db/turns/commit.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import type { Diff } from '../../domain/repositories/diff.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { openSessionSandbox, type SandboxDeps } from '../sandboxes/session.ts'
import { diffFiles } from './plain.ts'
import { readGitlessTree } from './plain-tree.ts'
import { diffWorkTree } from './work-tree.ts'

const timeoutMs = 15_000
const emptyDiff: Diff = { files: [], summary: { totalFiles: 0, totalAdditions: 0, totalDeletions: 0 } }

export function createDiffActivities(deps: SandboxDeps) {
  return {
    /** Stores the current branch, diff and line counts of a session. Safe to run again: it replaces the stored values. */
    computeDiff: ({ sessionId }: { sessionId: string }): Promise<void> =>
      withHeartbeat(() => storeDiff(deps, sessionId)),

    /** Stores the diff at the end of a turn. A failure leaves the stored values unchanged. Safe to run again. */
    recordDiff: ({ runId }: { runId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const { sessionId } = await readRun(deps.db, runId)
        try {
          await storeDiff(deps, sessionId, runId)
        } catch (error) {
          deps.log.warn({ runId, err: error }, 'failed to compute the diff of a session')
        }
      }),
  }
}

async function storeDiff(deps: SandboxDeps, sessionId: string, runId?: string): Promise<void> {
  const lastDiff = await findDiffState(deps.db, sessionId)
  const commit = runId === undefined ? undefined : await findCommit(deps.db, runId)
  const { sandbox } = await openSessionSandbox(deps, sessionId)
  const signal = AbortSignal.timeout(timeoutMs)
  const workTree = await diffWorkTree(sandbox, {
    base: lastDiff?.baseCommit ?? undefined,
    maxFileBytes: deps.codeHost.maxFileBytes,
    pushed: (commit?.pushed === true ? commit.commitSha : null) ?? undefined,
    signal,
  })
  const tree = workTree === 'no git' ? await diffGitlessTree(deps, sessionId, { sandbox, lastDiff, signal }) : workTree
  await saveDiff(deps.db, sessionId, {
    diff: storableJson(tree?.diff ?? emptyDiff) as Diff,
    branch: tree?.branch ?? null,
    commit: tree?.isClean === true ? tree.head : null,
    ...(runId !== undefined && { runId }),
  })
}

async function diffGitlessTree(
  deps: SandboxDeps,
  sessionId: string,
  { sandbox, lastDiff, signal }: { sandbox: Sandbox; lastDiff: DiffState | undefined; signal: AbortSignal },
) {
  const session = await findSession(deps.db, sessionId)
  const tree = session && (await readGitlessTree(deps, session, sandbox))
  return tree && diffFiles(tree, { against: lastDiff?.baseCommit ?? tree.base, signal })
}
