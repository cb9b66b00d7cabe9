import { z } from 'zod'
import { approvalAnswer, isApprovalAnswer, isApprovalRequest } from './approvals.ts'
import { explainUnreadableAttachment } from './attachments.ts'
import { messagePart, type MessagePart } from './message-part.ts'
import { anyRequired, codePoints, firstCodePoints, text } from '../fields/fields.ts'
import { questionTool } from '../tools/turn-tools.ts'

export type { MessagePart } from './message-part.ts'

export type MessageRole = 'user' | 'assistant' | 'system'
/** A complete message of the AI SDK's UI protocol. */
export type UiMessage<R extends MessageRole = MessageRole> = {
  id: string
  role: R
  parts: MessagePart[]
  metadata?: Record<string, unknown>
}
/** A message of a chat. System messages are instructions of one call and are not stored. */
export type StoredMessage = UiMessage<'user' | 'assistant'>

const count = z.number().optional()
const usage = z
  .object({
    inputTokens: count,
    inputTokenDetails: z.object({ noCacheTokens: count, cacheReadTokens: count, cacheWriteTokens: count }),
    outputTokens: count,
    outputTokenDetails: z.object({ textTokens: count, reasoningTokens: count }),
    totalTokens: count,
  })
  .meta({ id: 'Usage', description: 'A number is absent when the model did not report it.' })

const finishReason = z.object({ finishReason: z.string(), rawFinishReason: z.string().optional() })
const storedMetadata = z
  .looseObject({
    runId: z.string().optional().meta({ description: 'The run that wrote the message last.' }),
    selectedModelId: z.string().optional(),
    modelId: z.string().optional(),
    lastStepUsage: usage.optional(),
    totalMessageUsage: usage.optional(),
    lastStepCost: count.meta({ description: 'US dollars.' }),
    totalMessageCost: count.meta({ description: 'US dollars.' }),
    lastStepFinishReason: z.string().optional(),
    stepFinishReasons: z.array(finishReason).optional(),
    endReason: z.enum(['natural', 'awaiting_user', 'step_limit', 'stopped', 'error', 'time_limit']).optional(),
  })
  .meta({
    id: 'MessageMetadata',
    description: 'An assistant message has these fields. A user message has the metadata with which it was sent.',
  })

const optionalText = z.string().optional()
const partStates = [
  'streaming',
  'done',
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  'output-available',
  'output-error',
  'output-denied',
] as const
const storedPart = z
  .looseObject({
    type: z.string().meta({
      description: 'text, reasoning, step-start, file, source-url, source-document, tool-<name> or data-<name>.',
    }),
    text: optionalText,
    state: z.enum(partStates).optional(),
    toolCallId: optionalText,
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    errorText: optionalText,
    preliminary: z.boolean().optional(),
    approval: z
      .looseObject({ id: z.string(), approved: z.boolean().optional(), reason: optionalText })
      .optional()
      .meta({ description: 'Only in a call that requires approval by a person.' }),
    id: optionalText,
    data: z.unknown().optional(),
    mediaType: optionalText,
    filename: optionalText,
    sourceId: optionalText,
    title: optionalText,
    url: optionalText,
    providerMetadata: z.unknown().optional(),
  })
  .meta({ id: 'MessagePart', description: 'The fields depend on the type.' })

/** A stored message as clients receive it. The fields of each kind of part are documented but not validated. */
export const storedMessageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    parts: z.array(storedPart),
    metadata: storedMetadata.optional(),
  })
  .meta({ id: 'Message' })

const requestMessage = z
  .object({
    id: text(1, 128),
    role: z.enum(['user', 'assistant', 'system']),
    content: z.string().optional(),
    parts: z.array(messagePart).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .refine((message) => message.content !== undefined || message.parts !== undefined, {
    error: 'content or parts is required',
    path: ['content'],
  })
  .meta(anyRequired(['content', 'parts']))
export type RequestMessage = z.output<typeof requestMessage>

const questionPart = `tool-${questionTool}`

/**
 * Adds the answer in the sent message to an open question or a requested approval. Returns undefined without an answer.
 */
export function findAnswer(question: MessagePart, sentMessage: Pick<RequestMessage, 'parts'>): MessagePart | undefined {
  if (isApprovalRequest(question)) return approvalAnswer(question, sentMessage.parts ?? [])
  const answer = sentMessage.parts?.find((part) => isAnswer(part) && part['toolCallId'] === question['toolCallId'])
  if (answer === undefined) return undefined
  const { state, output, errorText } = answer
  return state === 'output-available'
    ? { ...question, state, output: output ?? null }
    : { ...question, state: 'output-error', errorText: typeof errorText === 'string' ? errorText : 'Not answered' }
}

/** Validates attachments only in the new message. In earlier messages, a note replaces those that a model cannot read. */
const messages = z
  .array(requestMessage)
  .min(1)
  .max(2000)
  .superRefine((all, ctx) => {
    const last = all.at(-1)
    if (last?.role !== 'user') return
    for (const [index, part] of (last.parts ?? []).entries()) {
      const message = explainUnreadableAttachment(part)
      if (message !== undefined) ctx.addIssue({ code: 'custom', message, path: [all.length - 1, 'parts', index] })
    }
  })

/** The history of a chat turn: it ends with a user message, or with the answer to a question or an approval. */
export const requestMessages = messages.refine(
  (all) => {
    const last = all.at(-1)
    return last !== undefined && (last.role === 'user' || answersQuestion(last))
  },
  { error: 'the last message must be a user message or answer a question' },
)

/** The history of a headless run: it ends with a user message. */
export const headlessMessages = messages.refine((all) => all.at(-1)?.role === 'user', {
  error: 'the last message must be a user message',
})

/** Converts a message to its stored form. `parts` takes precedence; `content` becomes one text part. */
export function toStoredMessage<R extends MessageRole>(message: RequestMessage & { role: R }): UiMessage<R> {
  return {
    id: message.id,
    role: message.role,
    parts: message.parts ?? [{ type: 'text', text: message.content ?? '' }],
    ...(message.metadata !== undefined && { metadata: message.metadata }),
  }
}

/** Returns the text parts of a message, joined with spaces. */
export function messageText(message: Pick<UiMessage, 'parts'>): string {
  return message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part['text'])
    .filter((value) => typeof value === 'string')
    .join(' ')
}

const maxTitleLength = 80

/** Returns a chat title from the first text, cut to 80 characters. */
export function chatTitleFrom(firstText: string): string {
  const title = firstText.trim()
  return codePoints(title) <= maxTitleLength ? title : `${firstCodePoints(title, maxTitleLength - 1)}…`
}

function isAnswer(part: MessagePart): boolean {
  return part.type === questionPart && (part['state'] === 'output-available' || part['state'] === 'output-error')
}

/** True for an assistant message with the answer to a question or a requested approval. */
function answersQuestion(message: Pick<RequestMessage, 'role' | 'parts'>): boolean {
  return message.role === 'assistant' && (message.parts ?? []).some((part) => isAnswer(part) || isApprovalAnswer(part))
}

/** True for a history that ends with the answer to a requested approval. */
export function answersApproval(all: readonly Pick<RequestMessage, 'role' | 'parts'>[]): boolean {
  const last = all.at(-1)
  return last?.role === 'assistant' && (last.parts ?? []).some(isApprovalAnswer)
}
