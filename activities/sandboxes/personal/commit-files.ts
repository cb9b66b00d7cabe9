import { canReachWorkspace } from '../../../db/sandboxes/snapshots.ts'
import { endJob } from '../../../db/jobs/ending.ts'
import { mergeMetadata, readJob } from '../../../db/jobs/jobs.ts'
import { committedFiles, type CommitFilesPayload, type FileOutcome } from '../../../domain/sandboxes/committed-files.ts'
import { BlobTooLargeError, maxBlobBytes, type BlobPort } from '../../../providers/blob/index.ts'
import { CodeHostFullError, CodeHostRefusedError } from '../../../providers/code-host/index.ts'
import { listSubmodules, resolvePath } from '../../../providers/code-host/submodules.ts'
import { Context } from '@temporalio/activity'
import { runAttempt } from '../../runtime/attempts.ts'
import { withHeartbeat } from '../../runtime/heartbeat.ts'
import type { HostDeps } from '../../deps.ts'
import { findSource } from './source.ts'

export type CommitFilesDeps = HostDeps & { blobs: BlobPort }

type FileIds = { runId: string; index: number }

const commitFailed = { name: 'StepFailed', message: 'A file could not be committed' }

export function createCommitFilesActivities(deps: CommitFilesDeps) {
  return {
    /** Commits one staged file. Safe to run again: a stored outcome is kept, and unchanged content makes no commit. */
    commitFile: ({ runId, index }: FileIds): Promise<void> =>
      withHeartbeat(async () => {
        const { payload, outcomes } = await readRun(deps, runId)
        if (outcomes[index] !== undefined) return
        await runAttempt(deps, { runId, error: commitFailed }, async () => {
          await mergeMetadata(deps.db, runId, { [buildFileKey(index)]: await commitStagedFile(deps, payload, index) })
        })
      }),

    /** Stores the outcome of a file that could not be committed. Safe to run again: a stored outcome is kept. */
    failFile: async ({ runId, index }: FileIds): Promise<void> => {
      const { payload, outcomes } = await readRun(deps, runId)
      if (outcomes[index] !== undefined) return
      const error = `${payload.files[index]?.name ?? ''}: the file could not be committed`
      await mergeMetadata(deps.db, runId, { [buildFileKey(index)]: { error } })
    },

    /** Deletes every staged file of the run. Safe to run again: a missing file is skipped. */
    removeStaged: ({ runId }: { runId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const { payload } = await readRun(deps, runId)
        for (const { url } of payload.files) await deps.blobs.remove(url)
      }),

    /** Ends the run with the outcomes of its files. Safe to run again: an ended run never changes. */
    endCommitFiles: async ({ runId }: { runId: string }): Promise<void> => {
      const { outcomes } = await readRun(deps, runId)
      const output = committedFiles(outcomes.flatMap((outcome) => outcome ?? []))
      const status = output.uploaded.length > 0 ? 'COMPLETED' : 'FAILED'
      const error = { name: 'UploadFailed', message: 'All uploads failed' }
      const job = { id: runId, attempt: Context.current().info.attempt }
      await endJob(deps.db, job, status === 'COMPLETED' ? { status, output } : { status, error })
    },
  }
}

async function readRun({ db }: CommitFilesDeps, runId: string) {
  const run = await readJob(db, runId)
  const payload = run.payload as CommitFilesPayload
  const outcomes = payload.files.map((_, index) => run.metadata?.[buildFileKey(index)] as FileOutcome | undefined)
  return { payload, outcomes }
}

function buildFileKey(index: number): string {
  return `file-${index}`
}

async function commitStagedFile(
  { db, codeHost, blobs }: CommitFilesDeps,
  { accountId, files, path, message }: CommitFilesPayload,
  index: number,
): Promise<FileOutcome> {
  const { url = '', name = '' } = files[index] ?? {}
  const fail = (reason: string): FileOutcome => ({ error: `${name}: ${reason}` })
  const source = await findSource({ db, codeHost }, accountId)
  if (source === undefined) return fail('the source repository is gone')
  const target = path === '' ? name : `${path}/${name}`
  try {
    const signal = Context.current().cancellationSignal
    const content = await blobs.read(url, { maxBytes: maxBlobBytes, signal })
    if (content === undefined) return fail('the staged file does not exist')
    const mayReach = (repository: typeof source) => canReachWorkspace(db, accountId, repository)
    const location = resolvePath(source, await listSubmodules(codeHost, source, mayReach), target)
    const { sha } = await codeHost.writeFile(location.repository, { path: location.path, content, message })
    return { path: target, sha }
  } catch (error) {
    if (error instanceof BlobTooLargeError) return fail('the file is larger than 100 MB')
    if (error instanceof CodeHostFullError) return fail(error.message)
    if (error instanceof CodeHostRefusedError) return fail('the path cannot be written')
    throw error
  }
}
