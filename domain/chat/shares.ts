import { z } from 'zod'
import { trunk } from './branches.ts'
import { toWire } from '../wire.ts'

export const maxShares = 50

export const shareSchema = z
  .object({
    id: z.guid(),
    chatId: z.guid(),
    branch: z.string(),
    messageId: z.string().meta({ description: 'The last message of the shared chat.' }),
    toolOutputs: z.boolean(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'Share',
    description: 'A read-only link to a chat as it was when the link was created. The URL is returned only once.',
  })

export type ShareRow = {
  id: string
  chatId: string
  branchId: string | null
  lastMessageId: string
  toolOutputs: boolean
  createdAt: Date
  expiresAt: Date
}

export function toShareResponse(row: ShareRow): z.output<typeof shareSchema> {
  return toWire(shareSchema, { ...row, branch: row.branchId ?? trunk, messageId: row.lastMessageId })
}
