import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client'
import { runTurn } from '../workflows/chat/messages.ts'
import type { WorkOwner } from '../domain/runs/owner.ts'
import type { Workflow } from '../workflows/messages.ts'
import { listHeldActivities, reportLostActivity, type HeldActivity } from './lost.ts'
import { countRestarts, restartWorkflow } from './restart.ts'
import { describeTaskQueues, type TaskQueueDepth } from './queues.ts'
import { createSchedules, type Schedules } from './schedules.ts'
import { ifKnown } from './status.ts'
import { findTrouble, type Trouble } from './stuck.ts'
import { within } from './within.ts'

export { EngineTimeoutError } from './within.ts'

/**
 * How a turn starts: headless with its sandbox, or with files to restore. A `bounded` turn reads its limits
 * from its row.
 */
export type TurnStart = {
  headless: boolean
  bounded?: boolean
  restoresFiles?: boolean
  /** Owner of the turn, if known: saves a query. */
  accountId?: string
}

/** Workflows to list, by declaration. */
type Listing = { only?: Workflow<never, unknown>[]; except?: Workflow<never, unknown>[] }

/** The Temporal client of API and workers. Workflows are started, joined, cancelled and described by their declarations. */
export type Engine = Schedules & {
  /** Rejects if Temporal does not answer in time. */
  check(timeoutMs: number): Promise<void>
  /** Backlog of the task queues. Rejects if Temporal does not answer in time. */
  describeTaskQueues(timeoutMs: number): Promise<TaskQueueDepth[]>
  /** Starts a workflow without waiting for it. An open one, or an id that may be used only once, counts as success. */
  start<Input extends object>(workflow: Workflow<Input, unknown>, input: Input): Promise<void>
  /**
   * Starts a workflow or joins the open one, and waits for its result. Rejects with `EngineTimeoutError` after the time limit; the
   * workflow continues.
   */
  join<Input extends object, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    timeoutMs: number,
  ): Promise<Output>
  /** Starts a workflow in place of an open one with the same id. */
  replace<Input extends object>(workflow: Workflow<Input, unknown>, input: Input): Promise<void>
  /** Starts a turn, within the limits of this deployment or the narrower ones of its row. */
  startTurn(runId: string, options?: TurnStart): Promise<void>
  /** Signals an open workflow; false if there is none. */
  signal(workflowId: string, signal: string, argument: unknown): Promise<boolean>
  /** Requests cancellation. A workflow that Temporal does not know counts as ended. */
  cancel(workflowId: string): Promise<void>
  /** Terminates a workflow that is no longer needed, without cleanup. */
  terminate(workflowId: string): Promise<void>
  /** `unknown` if Temporal has no such workflow. */
  readState(workflowId: string): Promise<'running' | 'ended' | 'unknown'>
  /** Why no worker can continue the workflow; undefined if one can. */
  findTrouble(workflowId: string): Promise<Trouble | undefined>
  /** How often `restart` has restarted the workflow. */
  countRestarts(workflowId: string): Promise<number>
  /** Restarts a workflow with its own input. `restart` counts from 1. */
  restart(workflowId: string, restart: number): Promise<void>
  /** Ids of the open workflows that started at least `minAgeMs` ago. Temporal's listing lags by about a second. */
  listOpen(listing: Listing, minAgeMs: number): AsyncIterable<string>
  /** Activities of these workflows that workers with these identities have started and, as far as Temporal knows, not ended. */
  listHeldActivities(workflowIds: readonly string[], isTheirs: (identity: string) => boolean): Promise<HeldActivity[]>
  /** Reports a dead worker's activity as failed, so that Temporal retries it immediately. */
  reportLostActivity(workflowId: string, activityId: string): Promise<void>
}

type WorkShare = { fairnessKey: string; fairnessWeight: number }

type EngineOptions = {
  taskQueue: string
  /** Time limit of a turn that has no narrower one. */
  runTimeLimitMs: number
  /** Fairness key and weight of an owner's work in the task queues. */
  findShare: (owner: WorkOwner) => WorkShare | undefined | Promise<WorkShare | undefined>
}

export function createEngine(client: Client, { taskQueue, runTimeLimitMs, findShare }: EngineOptions): Engine {
  const buildOptions = async <Input extends object>(
    workflow: Workflow<Input, unknown>,
    input: Input,
    owner = workflow.owner?.(input),
  ) => {
    const share = owner && (await findShare(owner))
    // Activities and child workflows inherit every option that they do not override.
    const priority = { ...workflow.priority?.(input), ...share }
    return {
      taskQueue,
      workflowId: workflow.id(input),
      args: [input],
      ...(Object.keys(priority).length > 0 && { priority }),
      ...(workflow.timeoutMs !== undefined && { workflowExecutionTimeout: workflow.timeoutMs }),
      ...(workflow.taskTimeoutMs !== undefined && { workflowTaskTimeout: workflow.taskTimeoutMs }),
    }
  }
  const start = async <Input extends object>(
    workflow: Workflow<Input, unknown>,
    input: Input,
    owner?: WorkOwner,
  ): Promise<void> => {
    const options = await buildOptions(workflow, input, owner)
    if (workflow.signal !== undefined) {
      const signal = { signal: workflow.signal, signalArgs: [] }
      await client.workflow.signalWithStart(workflow.type, {
        ...options,
        ...signal,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      })
      return
    }
    try {
      await client.workflow.start(workflow.type, {
        ...options,
        ...(workflow.use === 'once'
          ? { workflowIdReusePolicy: 'REJECT_DUPLICATE' }
          : { workflowIdConflictPolicy: 'USE_EXISTING', workflowIdReusePolicy: 'ALLOW_DUPLICATE' }),
      })
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  }
  return {
    ...createSchedules(client, taskQueue),
    check: async (timeoutMs) => {
      await client.connection.withDeadline(Date.now() + timeoutMs, () => client.workflowService.getSystemInfo({}))
    },
    describeTaskQueues: (timeoutMs) => describeTaskQueues(client, taskQueue, timeoutMs),
    start: (workflow, input) => start(workflow, input),
    join: <Input extends object, Output>(workflow: Workflow<Input, Output>, input: Input, timeoutMs: number) =>
      within<Output>(
        buildOptions(workflow, input).then((options) =>
          client.workflow.execute(workflow.type, {
            ...options,
            workflowIdConflictPolicy: 'USE_EXISTING',
            workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          }),
        ),
        timeoutMs,
      ),
    replace: async (workflow, input) => {
      await client.workflow.start(workflow.type, {
        ...(await buildOptions(workflow, input)),
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      })
    },
    startTurn: (runId, { headless, bounded, restoresFiles, accountId } = { headless: false }) =>
      start(
        runTurn,
        {
          runId,
          ...(headless && { headless }),
          ...(bounded !== true && { timeLimitMs: runTimeLimitMs }),
          ...(restoresFiles === true && { restoresFiles }),
        },
        accountId === undefined ? undefined : { accountId },
      ),
    signal: async (workflowId, signal, argument) => {
      try {
        await client.workflow.getHandle(workflowId).signal(signal, argument)
        return true
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      }
    },
    cancel: (workflowId) => unlessGone(client.workflow.getHandle(workflowId).cancel()),
    terminate: (workflowId) => unlessGone(client.workflow.getHandle(workflowId).terminate('no longer needed')),
    readState: async (workflowId) => {
      try {
        const { status } = await client.workflow.getHandle(workflowId).describe()
        return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW' ? 'running' : 'ended'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'unknown'
        throw error
      }
    },
    findTrouble: (workflowId) => ifKnown(findTrouble(client, workflowId)),
    countRestarts: (workflowId) => countRestarts(client, workflowId),
    restart: (workflowId, restart) => restartWorkflow(client, workflowId, restart),
    listOpen: async function* (listing, minAgeMs) {
      const before = new Date(Date.now() - minAgeMs).toISOString()
      const open = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running' and StartTime < '${before}'`
      for await (const { workflowId } of client.workflow.list({ query: open + buildQuery(listing) })) yield workflowId
    },
    listHeldActivities: (workflowIds, isTheirs) => listHeldActivities(client, workflowIds, isTheirs),
    reportLostActivity: (workflowId, activityId) => reportLostActivity(client, workflowId, activityId),
  }
}

/** Ignores a workflow that Temporal does not know or that has ended. */
async function unlessGone(asking: Promise<unknown>): Promise<void> {
  try {
    await asking
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

function buildQuery({ only, except }: Listing): string {
  return [only && `WorkflowType in (${typesIn(only)})`, except && `WorkflowType not in (${typesIn(except)})`]
    .filter((part) => part !== undefined)
    .map((part) => ` and ${part}`)
    .join('')
}

function typesIn(workflows: Workflow<never, unknown>[]): string {
  return workflows.map(({ type }) => `'${type}'`).join(', ')
}
