import { Context } from '@temporalio/activity'
import {
  deleteAccountSandbox,
  findAccountSandbox,
  listAccountSandboxes,
  updateAccountSandbox,
} from '../../../db/sandboxes/personal.ts'
import { deleteAccountSnapshot, findAccountSnapshot, isWorkspace } from '../../../db/sandboxes/snapshots.ts'
import { endJob } from '../../../db/jobs/ending.ts'
import { mergeMetadata, readJob } from '../../../db/jobs/jobs.ts'
import {
  personalSandboxName,
  type SetupLog,
  type SetupMetadata,
  type SetupStep,
} from '../../../domain/sandboxes/personal.ts'
import { runAttempt } from '../../runtime/attempts.ts'
import { withHeartbeat } from '../../runtime/heartbeat.ts'
import { createSetup, type SetupDeps } from './setup-context.ts'
import { setupActions } from './setup-steps.ts'

type StepIds = { runId: string; step: SetupStep }

/** End of a setup; `step` is the failed step. */
type SetupEnd = { status: 'COMPLETED' | 'FAILED' | 'CANCELED' | 'CRASHED'; step?: SetupStep }

const allSandboxes = { limit: 1000, offset: 0 }

export function createPersonalActivities(deps: SetupDeps) {
  const { db, codeHost, sandboxes, log } = deps

  const record = async (runId: string, logs: SetupLog[], entry: Omit<SetupLog, 'at'>): Promise<void> => {
    await mergeMetadata(db, runId, { logs: [...logs, { ...entry, at: new Date().toISOString() }] })
  }

  return {
    /**
     * Runs one step of a setup. Safe to run again: a logged step is not repeated, and each step checks for its own
     * result.
     */
    setupStep: ({ runId, step }: StepIds): Promise<void> =>
      withHeartbeat(async () => {
        const { accountId, logs } = await readSetup(deps, runId)
        if (logs.some((entry) => entry.step === step)) return
        await runAttempt(deps, { runId, error: toStepFailure(step) }, async () => {
          await mergeMetadata(db, runId, { currentStep: step })
          try {
            await record(runId, logs, { step, ...(await setupActions[step](createSetup(deps, runId, accountId))) })
          } catch (error) {
            log.warn({ err: error, runId, step }, 'a setup step failed')
            throw error
          }
        })
      }),

    /** Logs a step whose retries are used up. Safe to run again. */
    failSetupStep: async ({ runId, step }: StepIds): Promise<void> => {
      const { logs } = await readSetup(deps, runId)
      if (logs.some((entry) => entry.step === step)) return
      await record(runId, logs, { step, status: 'failed', message: 'The step failed at every attempt' })
    },

    /** Ends the run. Safe to run again: an ended run never changes. */
    endSetup: async ({ runId, end }: { runId: string; end: SetupEnd }): Promise<void> => {
      const { accountId } = await readSetup(deps, runId)
      const job = { id: runId, attempt: Context.current().info.attempt }
      if (end.status === 'COMPLETED') {
        const snapshot = await findAccountSnapshot(db, accountId)
        const output = { githubRepo: snapshot?.githubRepo ?? null, snapshotId: snapshot?.snapshotId ?? null }
        await endJob(db, job, { status: 'COMPLETED', output })
        return
      }
      const { status } = end
      if (status === 'CANCELED' && (await findAccountSandbox(db, personalSandboxName(runId))) !== undefined)
        await updateAccountSandbox(db, personalSandboxName(runId), { status: 'aborted' })
      await endJob(db, job, status === 'CANCELED' ? { status } : { status, error: describeFailure(end) })
    },

    /** Deletes all sandboxes of the account. Safe to run again: a missing sandbox is skipped. */
    removeAccountSandboxes: ({ accountId }: { accountId: string }): Promise<void> =>
      withHeartbeat(async () => {
        for (const { id, state } of await listAccountSandboxes(db, accountId, allSandboxes)) {
          await sandboxes.remove(state)
          await deleteAccountSandbox(db, id)
        }
      }),

    /** Deletes the recorded source repository of the account. Safe to run again: a missing repository is skipped. */
    removeSourceRepository: ({ accountId }: { accountId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const url = (await findAccountSnapshot(db, accountId))?.githubRepo ?? null
        if (url === null) return
        const repository = codeHost.parseCloneUrl(url)
        if (repository === undefined || (await isWorkspace(db, repository)))
          throw new Error('the recorded repository is not a source repository of this host')
        await codeHost.deleteRepository(repository)
      }),

    /** Deletes the snapshot and then its record. Safe to run again: a missing snapshot is skipped. */
    removeAccountSnapshot: ({ accountId }: { accountId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const snapshotId = (await findAccountSnapshot(db, accountId))?.snapshotId ?? null
        if (snapshotId !== null) await sandboxes.deleteSnapshot(snapshotId)
        await deleteAccountSnapshot(db, accountId)
      }),

    /** Returns the ids of the account's sandboxes that the driver knows. Read-only: a stopped sandbox stays stopped. */
    lookAtSandboxes: async ({ accountId }: { accountId: string }): Promise<string[]> => {
      const ids = await Promise.all(
        (await listAccountSandboxes(db, accountId, allSandboxes)).map(async ({ id, state, status }) => {
          // A pending sandbox has not been created yet, so the driver does not know it.
          if (status === 'pending') return [id]
          return (await sandboxes.condition(state)) === 'gone' ? [] : [id]
        }),
      )
      return ids.flat()
    },
  }
}

async function readSetup({ db }: SetupDeps, runId: string) {
  const { accountId, metadata } = await readJob(db, runId)
  const { logs } = { logs: [], ...(metadata as Partial<SetupMetadata> | null) }
  return { accountId, logs }
}

function toStepFailure(step: SetupStep) {
  return { name: 'StepFailed', message: `The step ${step} failed` }
}

function describeFailure({ status, step }: SetupEnd) {
  if (status === 'CRASHED')
    return { name: 'WorkerLost', message: `The worker was lost at every attempt at ${step ?? 'the setup'}` }
  if (step !== undefined) return toStepFailure(step)
  return { name: 'TimeLimit', message: 'The setup exceeded its time limit' }
}
