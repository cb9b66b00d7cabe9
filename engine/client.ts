import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import type { Duration } from '@temporalio/common'
import type { ChargeOutcome } from '../domain/payments/payments.ts'
import type { ExtendOutcome, ProbeOutcome } from '../domain/sandboxes/lifecycle.ts'
import { jobWorkflows, priorities, wakeSignal, workflowTypes } from '../workflows/messages.ts'
import type {
  BackgroundRunInput,
  ChargeCardInput,
  ComputeDiffInput,
  DeliverMailInput,
  EnsureWorkspaceInput,
  ExtendSandboxInput,
  LookAtSandboxesInput,
  PrepareBaseInput,
  MirrorOwnerInput,
  ProbeSandboxInput,
  ProvisionSandboxInput,
  RemovePersonalSandboxInput,
  RemoveSandboxInput,
  RunTurnInput,
  StopSandboxInput,
  TopUpAccountInput,
  TurnLimits,
  WatchSandboxInput,
} from '../workflows/messages.ts'
import { countRestarts, restartWorkflow } from './restart.ts'
import { createSchedules } from './schedules.ts'
import type { Schedules } from './schedules.ts'
import { ifKnown, isNotFound } from './status.ts'
import { findTrouble } from './stuck.ts'
import type { Trouble } from './stuck.ts'
import { turnOptions } from './turn-options.ts'
import { within } from './within.ts'

export { EngineTimeout } from './within.ts'

/** The engine as the API knows it: starts, cancels and waits for work, and does none. */
export type Engine = Schedules & {
  /** Rejects when the engine does not answer in time. */
  check(timeoutMs: number): Promise<void>
  /** A headless turn gets its sandbox first and lets those go before it whose user looks on. */
  startTurn(runId: string, options?: { headless: boolean }): Promise<void>
  /** Of a turn or of any other run: its workflow goes by the id of the run. */
  cancelRun(runId: string): Promise<void>
  /** True when no worker that lives can go on with the workflow: their code is not the code that began it. */
  isTurnStuck(runId: string): Promise<boolean>
  /** Why it is stuck; undefined when it is not. */
  findTrouble(runId: string): Promise<Trouble | undefined>
  /** Begins the workflow of a turn anew, in place of the one that is stuck. `restart` counts from 1. */
  restartTurn(runId: string, restart: number): Promise<void>
  /** Run ids of open turns that began at least `minAgeMs` ago, as the engine lists them: a moment late. */
  listOpenTurns(minAgeMs: number): AsyncIterable<string>
  /**
   * Ids of the open workflows that are neither turns nor watches and began at least `minAgeMs` ago, as the engine lists
   * them: a moment late.
   */
  listOpenWork(minAgeMs: number): AsyncIterable<string>
  /** How often a workflow that is no turn was begun anew. */
  countRestarts(workflowId: string): Promise<number>
  /** Begins it anew with what it was begun with. `restart` counts from 1. */
  restartWork(workflowId: string, restart: number): Promise<void>
  /** Ends a workflow that nobody needs any more. */
  terminateTurn(runId: string): Promise<void>
  /** Answers for a worker that died with this activity in its hands, so that the engine tries again at once. */
  reportLostActivity(workflowId: string, activityId: string): Promise<void>
  /** `running` while its workflow is open; `unknown` when the engine has no such workflow. */
  runState(runId: string): Promise<'running' | 'ended' | 'unknown'>
  /** Joins a provisioning that is under way. Rejects with `EngineTimeout` when it is not done in time; it goes on. */
  provisionSandbox(sessionId: string, timeoutMs: number): Promise<void>
  ensureWorkspace(ownerId: string, timeoutMs: number): Promise<void>
  /** Joins a computation that is under way. The diff is in the session's row afterwards. */
  computeDiff(sessionId: string, timeoutMs: number): Promise<void>
  /** Starts the stop of an archived session's sandbox and does not wait for it. One that is under way is joined. */
  stopSandbox(sessionId: string): Promise<void>
  /** Has the watcher of a session's sandbox look at the session now; one is started when there is none. */
  wakeSandbox(sessionId: string): Promise<void>
  /** The same for a watcher that may be stuck: one that no worker can go on with is replaced. */
  rewakeSandbox(sessionId: string): Promise<void>
  /** Moves the end of a session's sandbox. Rejects with `EngineTimeout` when it is not done in time; it may still be. */
  extendSandbox(input: ExtendSandboxInput, timeoutMs: number): Promise<ExtendOutcome>
  /** Asks a session's sandbox whether it is there, and joins whoever asks already. */
  probeSandbox(sessionId: string, timeoutMs: number): Promise<ProbeOutcome>
  /** Starts the build of a repository's base and does not wait for it. One that is under way is joined. */
  prepareBase(cloneUrl: string): Promise<void>
  /** Starts the removal of a deleted session's sandbox and does not wait for it. */
  removeSandbox(sandboxName: string): Promise<void>
  /** Starts the workflow of a background run. One that was started is success. */
  startJob(taskIdentifier: string, runId: string): Promise<void>
  /** Joins a removal that is under way. Rejects with `EngineTimeout` when it is not done in time; it goes on. */
  removePersonalSandbox(accountId: string, timeoutMs: number): Promise<void>
  /** Ids of the account's sandboxes that the driver knows. */
  lookAtSandboxes(accountId: string, timeoutMs: number): Promise<string[]>
  /** Starts telling the payment provider whose a subscription is, and does not wait for it. */
  mirrorOwner(subscriptionId: string): Promise<void>
  /**
   * Charges the card of an intent, or joins the charge that is under way. Rejects with `EngineTimeout` when it is not done
   * in time; it goes on for up to five minutes.
   */
  chargeCard(intentId: string, timeoutMs: number): Promise<ChargeOutcome>
  /** Starts the automatic top-up of an account, or joins the one that is under way, and does not wait for it. */
  topUpAccount(accountId: string): Promise<void>
  /** Starts the delivery of a mail of the outbox and does not wait for it. One that is under way is joined. */
  startMail(mailId: string): Promise<void>
}

/** A lost worker is no reason to wait longer from loss to loss. */
const nextRetryDelay = msToTs('100ms')

export const createEngine = (client: Client, taskQueue: string, limits: TurnLimits): Engine => {
  const ensureStarted = async (type: string, workflowId: string, input: object): Promise<void> => {
    await client.workflow.start(type, {
      taskQueue,
      workflowId,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    })
  }
  const join = <T = void>(
    type: string,
    workflowId: string,
    input: object,
    timeoutMs: number,
    more: { workflowExecutionTimeout?: Duration } = {},
  ): Promise<T> =>
    within<T>(
      client.workflow.execute(type, {
        ...more,
        taskQueue,
        workflowId,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
      timeoutMs,
    )
  const listOpen = async function* (types: string, minAgeMs: number): AsyncIterable<string> {
    const before = new Date(Date.now() - minAgeMs).toISOString()
    const query = `TaskQueue = '${taskQueue}' and ${types} and ExecutionStatus = 'Running' and StartTime < '${before}'`
    for await (const { workflowId } of client.workflow.list({ query })) yield workflowId
  }
  const troubleOf = (workflowId: string) => ifKnown(findTrouble(client, workflowId))
  const isWorkflowStuck = async (workflowId: string): Promise<boolean> => (await troubleOf(workflowId)) !== undefined
  const watchOptions = (sessionId: string) => ({
    taskQueue,
    workflowId: `sandbox:${sessionId}`,
    args: [{ sessionId } satisfies WatchSandboxInput],
    priority: priorities.patient,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  })
  const wakeSandbox = async (sessionId: string): Promise<void> => {
    await client.workflow.signalWithStart(workflowTypes.watchSandbox, {
      ...watchOptions(sessionId),
      signal: wakeSignal,
      signalArgs: [],
    })
  }
  return {
    ...createSchedules(client, taskQueue),
    check: async (timeoutMs) => {
      await client.connection.withDeadline(Date.now() + timeoutMs, () => client.workflowService.getSystemInfo({}))
    },
    startTurn: async (runId, { headless } = { headless: false }) => {
      try {
        await client.workflow.start(workflowTypes.runTurn, {
          ...turnOptions(taskQueue, runId),
          ...(headless && { priority: priorities.patient }),
          args: [{ runId, ...(!headless && { limits }) } satisfies RunTurnInput],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
        })
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    },
    cancelRun: async (runId) => {
      try {
        await client.workflow.getHandle(runId).cancel()
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      }
    },
    isTurnStuck: isWorkflowStuck,
    findTrouble: troubleOf,
    restartTurn: async (runId, restart) => {
      await client.workflow.start(workflowTypes.runTurn, {
        ...turnOptions(taskQueue, runId),
        args: [{ runId, restart } satisfies RunTurnInput],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      })
    },
    listOpenTurns: (minAgeMs) => listOpen(`WorkflowType = '${workflowTypes.runTurn}'`, minAgeMs),
    listOpenWork: (minAgeMs) =>
      listOpen(`WorkflowType not in ('${workflowTypes.runTurn}', '${workflowTypes.watchSandbox}')`, minAgeMs),
    countRestarts: (workflowId) => countRestarts(client, workflowId),
    restartWork: (workflowId, restart) => restartWorkflow(client, workflowId, restart),
    terminateTurn: async (runId) => {
      try {
        await client.workflow.getHandle(runId).terminate('the run has ended')
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      }
    },
    reportLostActivity: async (workflowId, activityId) => {
      const { namespace } = client.options
      const execution = { workflowId }
      try {
        await client.workflowService.respondActivityTaskFailedById({
          namespace,
          workflowId,
          activityId,
          identity: 'survivor',
          failure: { message: 'the worker was lost', applicationFailureInfo: { type: 'WorkerLost', nextRetryDelay } },
        })
        // Else the workflow task behind the repeated activity waits for the dead worker's sticky queue to time out.
        await client.workflowService.resetStickyTaskQueue({ namespace, execution })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    },
    runState: async (runId) => {
      try {
        const { status } = await client.workflow.getHandle(runId).describe()
        return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW' ? 'running' : 'ended'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'unknown'
        throw error
      }
    },
    provisionSandbox: (sessionId, timeoutMs) =>
      join(
        workflowTypes.provisionSandbox,
        `provision:${sessionId}`,
        { sessionId } satisfies ProvisionSandboxInput,
        timeoutMs,
      ),
    wakeSandbox,
    rewakeSandbox: async (sessionId) => {
      const options = watchOptions(sessionId)
      if (await isWorkflowStuck(options.workflowId))
        await client.workflow.start(workflowTypes.watchSandbox, {
          ...options,
          workflowIdConflictPolicy: 'TERMINATE_EXISTING',
        })
      else await wakeSandbox(sessionId)
    },
    extendSandbox: (input, timeoutMs) =>
      join<ExtendOutcome>(
        workflowTypes.extendSandbox,
        `extend:${input.sessionId}:${randomUUID()}`,
        input satisfies ExtendSandboxInput,
        timeoutMs,
      ),
    probeSandbox: (sessionId, timeoutMs) =>
      join<ProbeOutcome>(
        workflowTypes.probeSandbox,
        `probe:${sessionId}`,
        { sessionId } satisfies ProbeSandboxInput,
        timeoutMs,
      ),
    ensureWorkspace: (ownerId, timeoutMs) =>
      join(
        workflowTypes.ensureWorkspace,
        `workspace:${ownerId}`,
        { ownerId } satisfies EnsureWorkspaceInput,
        timeoutMs,
      ),
    computeDiff: (sessionId, timeoutMs) =>
      join(workflowTypes.computeDiff, `diff:${sessionId}`, { sessionId } satisfies ComputeDiffInput, timeoutMs),
    stopSandbox: (sessionId) =>
      ensureStarted(workflowTypes.stopSandbox, `stop-sandbox:${sessionId}`, { sessionId } satisfies StopSandboxInput),
    prepareBase: (cloneUrl) =>
      ensureStarted(workflowTypes.prepareBase, `base:${cloneUrl}`, { cloneUrl } satisfies PrepareBaseInput),
    removeSandbox: (sandboxName) =>
      ensureStarted(workflowTypes.removeSandbox, `remove-sandbox:${sandboxName}`, {
        sandboxName,
      } satisfies RemoveSandboxInput),
    startJob: async (taskIdentifier, runId) => {
      const type = jobWorkflows[taskIdentifier]
      if (type === undefined) throw new Error(`no workflow does the job ${taskIdentifier}`)
      try {
        await client.workflow.start(type, {
          taskQueue,
          workflowId: runId,
          args: [{ runId } satisfies BackgroundRunInput],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
        })
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    },
    removePersonalSandbox: (accountId, timeoutMs) =>
      join(
        workflowTypes.removePersonalSandbox,
        `remove-personal:${accountId}`,
        { accountId } satisfies RemovePersonalSandboxInput,
        timeoutMs,
      ),
    startMail: (mailId) =>
      ensureStarted(workflowTypes.deliverMail, `mail:${mailId}`, { mailId } satisfies DeliverMailInput),
    lookAtSandboxes: (accountId, timeoutMs) =>
      join<string[]>(
        workflowTypes.lookAtSandboxes,
        `look-at-sandboxes:${accountId}`,
        { accountId } satisfies LookAtSandboxesInput,
        timeoutMs,
      ),
    mirrorOwner: (subscriptionId) =>
      ensureStarted(workflowTypes.mirrorOwner, `owner:${subscriptionId}`, {
        subscriptionId,
      } satisfies MirrorOwnerInput),
    chargeCard: (intentId, timeoutMs) =>
      join<ChargeOutcome>(
        workflowTypes.chargeCard,
        `charge:${intentId}`,
        { intentId } satisfies ChargeCardInput,
        timeoutMs,
        // Nobody expects a charge any more when no worker could take it for so long.
        { workflowExecutionTimeout: '5m' },
      ),
    topUpAccount: (accountId) =>
      ensureStarted(workflowTypes.topUpAccount, `top-up:${accountId}`, { accountId } satisfies TopUpAccountInput),
  }
}
