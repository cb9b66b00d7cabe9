import type { MessagePart } from '../chat/messages.ts'
import type { Frame } from '../log/frames.ts'
import type { StoredSandboxState } from '../sessions/sessions.ts'
import type { LostCheckpoint } from './places.ts'

/** Loss of a sandbox's files with their machine. The sandbox was created again from a checkpoint or from the repository. */
export type SandboxLoss = {
  /** Increases with each loss. */
  epoch: number
  /** Epoch ms at which the loss was recorded. */
  lostAt: number
  /** Commit from which the sandbox, or the sandbox of the checkpoint, was created; null for an empty sandbox. */
  commit: string | null
  /** Absent or null if the sandbox has no checkpoints. */
  checkpoint?: LostCheckpoint | null | undefined
}

const frameType = 'data-sandbox-loss'

/** Returns the newest loss of a sandbox; undefined if there was none. */
export function findLoss({ epoch, lostAt, source, checkpoint }: StoredSandboxState): SandboxLoss | undefined {
  return epoch === undefined || lostAt === undefined
    ? undefined
    : { epoch, lostAt, commit: source?.baseCommit ?? null, checkpoint }
}

/** Builds the frame, also a message part, that announces a loss to the client and to the model. */
export function lossFrame(assistantMessageId: string, loss: SandboxLoss): Frame {
  const { epoch, lostAt, commit, checkpoint } = loss
  const restored =
    typeof checkpoint?.at === 'number'
      ? { at: new Date(checkpoint.at).toISOString(), runId: checkpoint.runId, step: checkpoint.step }
      : null
  return {
    type: frameType,
    id: `${assistantMessageId}:sandbox-loss:${epoch}`,
    data: { epoch, lostAt: new Date(lostAt).toISOString(), commit, checkpoint: restored, text: describeLoss(loss) },
  }
}

/** Describes a loss, and the files that the sandbox has now, for the model. */
export function describeLoss({ lostAt, commit, checkpoint }: SandboxLoss): string {
  const isTooLarge = checkpoint?.isTooLarge === true
  const at = checkpoint?.at ?? null
  const files = commit === null ? 'is empty' : `has the files of commit ${commit}`
  return [
    `The machine of the sandbox was lost, which was detected at ${new Date(lostAt).toISOString()}.`,
    at === null
      ? `The sandbox was created again and ${files}: changes that were not pushed, files outside of the repository and background commands are gone.`
      : `The sandbox was created again with the files of its checkpoint at ${new Date(at).toISOString()}: later changes that were not pushed, and background commands, are gone.`,
    ...(isTooLarge ? ['No newer checkpoint exists because the files exceeded the size limit of checkpoints.'] : []),
  ].join(' ')
}

/** Returns the text that tells the model about an announced loss; undefined for any other part. */
export function announcedLoss({ type, data }: MessagePart): MessagePart[] | undefined {
  if (type !== frameType || typeof data !== 'object' || data === null || !('text' in data)) return undefined
  return typeof data.text === 'string' ? [{ type: 'text', text: data.text }] : undefined
}
