import type { MessagePart } from '../chat/messages.ts'
import type { Frame } from '../log/frames.ts'
import type { StoredSandboxState } from '../sessions/sessions.ts'

/** The files of a sandbox were lost with their machine, and the sandbox was created again from the repository. */
export type SandboxLoss = {
  /** Rises with each loss. */
  epoch: number
  /** Epoch ms at which the loss was recorded. */
  lostAt: number
  /** The commit whose files the sandbox has since. */
  commit: string | null
}

const frameType = 'data-sandbox-loss'

/** The newest loss of a sandbox; undefined if there was none. */
export function findLoss({ epoch, lostAt, source }: StoredSandboxState): SandboxLoss | undefined {
  return epoch === undefined || lostAt === undefined ? undefined : { epoch, lostAt, commit: source?.baseCommit ?? null }
}

/** Part and frame that announce a loss to the client and to the model. */
export function lossFrame(assistantMessageId: string, loss: SandboxLoss): Frame {
  const { epoch, lostAt, commit } = loss
  return {
    type: frameType,
    id: `${assistantMessageId}:sandbox-loss:${epoch}`,
    data: { epoch, lostAt: new Date(lostAt).toISOString(), commit, text: describeLoss(loss) },
  }
}

/** Tells the model which files it sees from now on. */
export function describeLoss({ lostAt, commit }: SandboxLoss): string {
  const files = commit === null ? 'is empty' : `has the files of commit ${commit}`
  return `The machine of the sandbox was lost, which was detected at ${new Date(lostAt).toISOString()}. The sandbox was created again and ${files}: changes that were not pushed, files outside of the repository and background commands are gone.`
}

/** The text for the model at the position of the announcement; undefined for every other part. */
export function announcedLoss({ type, data }: MessagePart): MessagePart[] | undefined {
  if (type !== frameType || typeof data !== 'object' || data === null || !('text' in data)) return undefined
  return typeof data.text === 'string' ? [{ type: 'text', text: data.text }] : undefined
}
