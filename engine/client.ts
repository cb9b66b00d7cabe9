import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client'
import { runTurn } from '../workflows/chat/messages.ts'
import type { WorkOwner } from '../domain/runs/owner.ts'
import type { Workflow } from '../workflows/messages.ts'
import { listHeldActivities, reportLostActivity, type HeldActivity } from './lost.ts'
import { countRestarts, restartWorkflow } from './restart.ts'
import { describeTaskQueues, type TaskQueueDepth } from './queues.ts'
import { createSchedules, type Schedules } from './schedules.ts'
import { undefinedIfNotFound } from './status.ts'
import { findStuckReason, type StuckReason } from './stuck.ts'
import { withTimeout } from './timeout.ts'

export { EngineTimeoutError } from './timeout.ts'

/**
 * Options of a turn. A `headless` turn needs a sandbox before its first step, and a turn that `restoresFiles` restores them
 * before its first step. A `bounded` turn reads its limits from its row.
 */
export type TurnStart = {
  headless: boolean
  bounded?: boolean
  restoresFiles?: boolean
  /** Owner of the turn. If set, the start needs no query for it. */
  accountId?: string
}

/** Filter of a workflow listing, by declaration. */
type WorkflowFilter = { only?: Workflow<never, unknown>[]; except?: Workflow<never, unknown>[] }

/** The Temporal client of the API and the workers. It starts, joins and replaces workflows by their declarations. */
export type Engine = Schedules & {
  /** Checks the connection. Rejects if Temporal does not respond in time. */
  check(timeoutMs: number): Promise<void>
  /** Returns the backlog of the task queues. Rejects if Temporal does not respond in time. */
  describeTaskQueues(timeoutMs: number): Promise<TaskQueueDepth[]>
  /** Starts a workflow unless it is open or its single-use id was already used. Does not wait for its result. */
  start<Input extends object>(workflow: Workflow<Input, unknown>, input: Input): Promise<void>
  /**
   * Starts a workflow or joins the open one, and waits for its result. Rejects with `EngineTimeoutError` after the timeout;
   * the workflow continues.
   */
  join<Input extends object, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    timeoutMs: number,
  ): Promise<Output>
  /** Starts a workflow in place of an open one with the same id. */
  replace<Input extends object>(workflow: Workflow<Input, unknown>, input: Input): Promise<void>
  /** Starts a turn, within the limits of this deployment or the lower limits of its row. */
  startTurn(runId: string, options?: TurnStart): Promise<void>
  /** Signals an open workflow. Returns false if there is none. */
  signal(workflowId: string, signal: string, argument: unknown): Promise<boolean>
  /** Requests cancellation. A workflow that Temporal does not know counts as ended. */
  cancel(workflowId: string): Promise<void>
  /** Terminates a workflow that is no longer needed, without cleanup. */
  terminate(workflowId: string): Promise<void>
  /** Returns the state of a workflow; `unknown` if Temporal does not have it. */
  readState(workflowId: string): Promise<'running' | 'ended' | 'unknown'>
  /** Returns why no worker can continue the workflow; undefined if one can. */
  findStuckReason(workflowId: string): Promise<StuckReason | undefined>
  /** Returns how often `restart` has restarted the workflow. */
  countRestarts(workflowId: string): Promise<number>
  /** Restarts a workflow with its original input. `restart` counts from 1. */
  restart(workflowId: string, restart: number): Promise<void>
  /** Lists the ids of the open workflows that started at least `minAgeMs` ago. Temporal's listing lags by about a second. */
  listOpen(filter: WorkflowFilter, minAgeMs: number): AsyncIterable<string>
  /** Lists the pending activities of these workflows that matching workers have started. */
  listHeldActivities(workflowIds: readonly string[], isWorker: (identity: string) => boolean): Promise<HeldActivity[]>
  /** Reports a dead worker's activity as failed, so that Temporal retries it immediately. */
  reportLostActivity(workflowId: string, activityId: string): Promise<void>
}

type WorkShare = { fairnessKey: string; fairnessWeight: number }

type EngineOptions = {
  taskQueue: string
  /** Time limit of a turn whose row has no lower limit. */
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
      withTimeout<Output>(
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
    cancel: (workflowId) => ignoreNotFound(client.workflow.getHandle(workflowId).cancel()),
    terminate: (workflowId) => ignoreNotFound(client.workflow.getHandle(workflowId).terminate('no longer needed')),
    readState: async (workflowId) => {
      try {
        const { status } = await client.workflow.getHandle(workflowId).describe()
        return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW' ? 'running' : 'ended'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'unknown'
        throw error
      }
    },
    findStuckReason: (workflowId) => undefinedIfNotFound(findStuckReason(client, workflowId)),
    countRestarts: (workflowId) => countRestarts(client, workflowId),
    restart: (workflowId, restart) => restartWorkflow(client, workflowId, restart),
    listOpen: async function* (filter, minAgeMs) {
      const startedBefore = new Date(Date.now() - minAgeMs).toISOString()
      const openFilter = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running' and StartTime < '${startedBefore}'`
      const query = openFilter + buildQuery(filter)
      for await (const { workflowId } of client.workflow.list({ query })) yield workflowId
    },
    listHeldActivities: (workflowIds, isWorker) => listHeldActivities(client, workflowIds, isWorker),
    reportLostActivity: (workflowId, activityId) => reportLostActivity(client, workflowId, activityId),
  }
}

/** Ignores a workflow that Temporal does not know or that has ended. */
async function ignoreNotFound(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

function buildQuery({ only, except }: WorkflowFilter): string {
  return [only && `WorkflowType in (${quoteTypes(only)})`, except && `WorkflowType not in (${quoteTypes(except)})`]
    .filter((part) => part !== undefined)
    .map((part) => ` and ${part}`)
    .join('')
}

function quoteTypes(workflows: Workflow<never, unknown>[]): string {
  return workflows.map(({ type }) => `'${type}'`).join(', ')
}
