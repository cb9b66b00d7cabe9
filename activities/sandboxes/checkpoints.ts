import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import {
  deletePack,
  markChanged,
  saveCheckpoint,
  skipCheckpoint,
  startPack,
  type CheckpointCause,
  type CheckpointTarget,
} from '../../db/sandboxes/checkpoints.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import { newPackId } from '../../domain/fields/ids.ts'
import { needsAllFiles } from '../../domain/sandboxes/checkpoints.ts'
import { buildSandboxName } from '../../domain/sandboxes/places.ts'
import { SandboxGoneError, type SandboxPort, type Sandbox } from '../../providers/sandbox/index.ts'
import { untilAborted } from '../runtime/until-aborted.ts'

/** Timeout of one checkpoint. The next step that changes files waits for the checkpoint. */
const timeoutMs = 30_000
/** Maximum time that a stopping process waits for checkpoints. */
const closeTimeoutMs = 5000

/** Checkpoints of the sandboxes in a fleet. */
export type Checkpoints = {
  /**
   * Waits until the changes of earlier steps are in a checkpoint or their checkpoint has failed, and records that a step starts
   * to change files. Never throws. The returned function starts a checkpoint and does not wait for it. `isPush`: the step has
   * pushed its changes. If its checkpoint fails, an earlier checkpoint that may lack several steps is dropped, because the
   * pushed commit is newer.
   */
  start(sessionId: string, cause: CheckpointCause, signal: AbortSignal): Promise<EndOfChanges>
  /** Waits for the checkpoints in progress, for at most five seconds. */
  close(): Promise<void>
}

/** `checkpoints` is undefined if the sandboxes have no checkpoints. */
export type CheckpointDeps = { checkpoints?: Checkpoints | undefined }

type EndOfChanges = (options?: { isPush?: boolean }) => void
type Request = { cause: CheckpointCause; isPush: boolean }
type Options = {
  db: Pool
  sandboxes: Pick<SandboxPort, 'open'>
  maxBytes: number
  log: Pick<Logger, 'warn'>
}

/** Checkpoints of one sandbox. `changingSteps`: number of steps in this process that are changing files. */
type Queue = { changingSteps: number; running: Promise<void> | undefined; waiting: Request | undefined }

/**
 * Takes a checkpoint of a sandbox after each step that may have changed its files, while the model is called. The next step
 * that changes files waits for the checkpoint, so that the loss of the machine undoes the changes of at most one step. If the
 * process is lost before the checkpoint, the next step takes the checkpoint before it starts.
 */
export function createCheckpoints({ db, sandboxes, maxBytes, log }: Options): Checkpoints {
  const queues = new Map<string, Queue>()

  const store = async (
    sandbox: Sandbox,
    target: CheckpointTarget,
    { cause, isPush }: Request,
    isSettled: () => boolean,
  ): Promise<void> => {
    if (sandbox.checkpoint === undefined) return
    const { sandboxName } = target
    const packId = newPackId()
    const previous = await startPack(db, packId, target)
    let isTooLarge = false
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const base = previous.at(-1)?.id
      const options = { packId, base, isFull: needsAllFiles(previous), maxBytes, timeoutMs, signal }
      const pendingCheckpoint = sandbox.checkpoint(options)
      const result = await untilAborted(signal, () => pendingCheckpoint)
      isTooLarge = result.outcome === 'tooLarge'
      if (result.outcome !== 'tooLarge') {
        const newPacks = result.outcome === 'stored' ? [{ id: packId, bytes: result.bytes }] : []
        const packs = result.outcome === 'stored' && result.isFull ? newPacks : [...previous, ...newPacks]
        await saveCheckpoint(db, target, { packId, previous, packs, cause, isSettled: isSettled() })
        if (newPacks.length === 0) await deletePack(db, packId)
        return
      }
      log.warn({ sandboxName, maxBytes }, 'skipped the checkpoint of a sandbox: its files exceed SANDBOX_CHECKPOINT_MB')
    } catch (err) {
      log.warn({ err, sandboxName }, 'the checkpoint of a sandbox failed')
    }
    await skipCheckpoint(db, target, { packId, isTooLarge, isPush, isSettled: isSettled() })
    if (isTooLarge) await deletePack(db, packId)
  }

  const attempt = async (sessionId: string, request: Request, isSettled: () => boolean): Promise<void> => {
    try {
      const state = (await findSession(db, sessionId))?.sandboxState
      if (state?.machine === undefined || state.epoch === undefined) return
      const target = { sandboxName: state.sandboxName, machine: state.machine, epoch: state.epoch }
      const sandbox = await sandboxes.open(state)
      await store(sandbox, target, request, isSettled)
    } catch (err) {
      if (!(err instanceof SandboxGoneError)) log.warn({ err, sessionId }, 'the checkpoint of a sandbox failed')
    }
  }

  const findQueue = (sessionId: string): Queue => {
    const queue = queues.get(sessionId) ?? { changingSteps: 0, running: undefined, waiting: undefined }
    queues.set(sessionId, queue)
    return queue
  }

  const runQueue = async (sessionId: string, queue: Queue): Promise<void> => {
    for (let request; (request = queue.waiting) !== undefined;) {
      queue.waiting = undefined
      await attempt(sessionId, request, () => queue.changingSteps === 0)
    }
    queue.running = undefined
    if (queue.changingSteps === 0) queues.delete(sessionId)
  }

  /** Adds a request. Requests that wait for the current checkpoint are combined. */
  const request = (sessionId: string, queue: Queue, { cause, isPush }: Request): Promise<void> => {
    queue.waiting = { cause, isPush: isPush || queue.waiting?.isPush === true }
    return (queue.running ??= runQueue(sessionId, queue))
  }

  const waitForCheckpoint = async (sessionId: string, queue: Queue, cause: CheckpointCause): Promise<void> => {
    await queue.running
    const name = buildSandboxName(sessionId)
    const hasPendingChanges = await markChanged(db, name)
    if (!hasPendingChanges || queue.changingSteps > 1) return
    await request(sessionId, queue, { cause, isPush: false })
    await markChanged(db, name)
  }

  return {
    start: async (sessionId, cause, signal) => {
      const queue = findQueue(sessionId)
      queue.changingSteps++
      await untilAborted(signal, () => waitForCheckpoint(sessionId, queue, cause)).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err, sessionId }, 'failed to record that a step changes the files of a sandbox')
      })
      return ({ isPush = false } = {}) => {
        queue.changingSteps--
        void request(sessionId, queue, { cause, isPush })
      }
    },
    close: async () => {
      const running = [...queues.values()].flatMap((queue) => queue.running ?? [])
      const all = Promise.all(running)
      await untilAborted(AbortSignal.timeout(closeTimeoutMs), () => all).catch(() => {})
    },
  }
}
