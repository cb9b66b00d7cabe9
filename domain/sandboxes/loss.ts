import type { MessagePart } from '../chat/messages.ts'
import type { Frame } from '../log/frames.ts'
import type { StoredSandboxState } from '../sessions/sessions.ts'

/** Loss of a sandbox's files with their machine. The sandbox was created again from the repository. */
export type SandboxLoss = {
  /** Increases with each loss. */
  epoch: number
  /** Epoch ms at which the loss was recorded. */
  lostAt: number
  /** Commit from which the sandbox was created again; null for an empty sandbox. */
  commit: string | null
}

const frameType = 'data-sandbox-loss'

/** Returns the newest loss of a sandbox; undefined if there was none. */
export function findLoss({ epoch, lostAt, source }: StoredSandboxState): SandboxLoss | undefined {
  return epoch === undefined || lostAt === undefined ? undefined : { epoch, lostAt, commit: source?.baseCommit ?? null }
}

/** Builds the frame, also a message part, that announces a loss to the client and to the model. */
export function lossFrame(assistantMessageId: string, loss: SandboxLoss): Frame {
  const { epoch, lostAt, commit } = loss
  return {
    type: frameType,
    id: `${assistantMessageId}:sandbox-loss:${epoch}`,
    data: { epoch, lostAt: new Date(lostAt).toISOString(), commit, text: describeLoss(loss) },
  }
}

/** Describes a loss, and the files that the sandbox has now, for the model. */
export function describeLoss({ lostAt, commit }: SandboxLoss): string {
  const files = commit === null ? 'is empty' : `has the files of commit ${commit}`
  return `The machine of the sandbox was lost, which was detected at ${new Date(lostAt).toISOString()}. The sandbox was created again and ${files}: changes that were not pushed, files outside of the repository and background commands are gone.`
}

/** Returns the text for the model at the position of the announcement; undefined for any other part. */
export function announcedLoss({ type, data }: MessagePart): MessagePart[] | undefined {
  if (type !== frameType || typeof data !== 'object' || data === null || !('text' in data)) return undefined
  return typeof data.text === 'string' ? [{ type: 'text', text: data.text }] : undefined
}
