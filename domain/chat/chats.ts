import { z } from 'zod'
import { toWire } from '../wire.ts'

/** Title of a chat before its first text message. */
export const newChatTitle = 'New chat'

export type ChatRow = {
  id: string
  sessionId: string
  /** Owner of the session. */
  ownerId: string
  title: string
  modelId: string | null
  /** If null, the default of the deployment applies. */
  autoCompact: boolean | null
  activeStreamId: string | null
  lastAssistantMessageAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export const chatSchema = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    title: z.string(),
    modelId: z.string(),
    autoCompact: z.boolean().optional().meta({ description: 'Present only if the owner has set it.' }),
    activeStreamId: z.string().nullable(),
    lastAssistantMessageAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Chat' })

/** Builds the response for a chat. Without a chosen model, it contains the default model. */
export function toChatResponse(row: ChatRow, defaultModel: string): z.output<typeof chatSchema> {
  const { modelId, autoCompact } = row
  return toWire(chatSchema, { ...row, modelId: modelId ?? defaultModel, autoCompact: autoCompact ?? undefined })
}
