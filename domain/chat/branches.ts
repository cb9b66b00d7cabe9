import { z } from 'zod'
import type { Frame } from '../log/frames.ts'

/** Id of the first branch of every chat. */
export const trunk = 'main'

export const maxBranches = 500

const count = z.int().min(0)
export const branchSchema = z
  .object({
    id: z.string().meta({ description: '`main`, or `branch_` and a ULID.' }),
    kind: z.enum(['main', 'regenerate', 'edit']),
    parentId: z.string().nullable(),
    afterMessageId: z
      .string()
      .nullable()
      .meta({ description: 'The last message that the branch shares with its parent; null if it shares none.' }),
    versionOf: z
      .string()
      .nullable()
      .meta({ description: 'The message that the branch replaces with another version.' }),
    runId: z.string().nullable().meta({ description: 'The run that created the branch.' }),
    selected: z.boolean(),
    usage: z.object({ inputTokens: count, cachedInputTokens: count, outputTokens: count }),
    credits: count.meta({ description: 'Credits charged for the turns of the messages of this branch.' }),
    files: z
      .object({ state: z.enum(['kept', 'restoring', 'restored']), commit: z.string().nullable() })
      .nullable()
      .meta({ description: 'Outcome of `restoreFiles`; null if it was not requested.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Branch' })
export type Branch = z.output<typeof branchSchema>

/** State of the sandbox's files in a turn that regenerates or edits a message. */
export type FilesOutcome = { files: 'kept' | 'restoring' } | { files: 'restored'; commit: string }

/** Builds the frame that identifies the branch of a turn. The frame describes the run and is not part of the message. */
export function branchFrame(
  assistantMessageId: string,
  { branchId, versionOf, ...outcome }: { branchId: string; versionOf: string } & FilesOutcome,
): Frame {
  return {
    type: 'data-branch',
    id: `${assistantMessageId}:branch`,
    data: { branch: branchId, versionOf, ...outcome },
    transient: true,
  }
}
