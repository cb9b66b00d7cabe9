import { z } from 'zod'

/** A part of a message of the AI SDK's UI protocol. */
export const messagePart = z.looseObject({ type: z.string() })
export type MessagePart = z.output<typeof messagePart>
