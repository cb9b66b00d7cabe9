import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import { storableJson, storableText } from '../../fields/storable.ts'
import { toValidAttachment, type ModelInputs } from '../attachments.ts'
import { cachedByIdentity } from './identity-cache.ts'
import { foldByPrefix } from './prefix-cache.ts'
import { createValidIds, toValidToolName } from './valid-names.ts'

type Role = LanguageModelV3Message['role']
type OfRole<R extends Role> = Extract<LanguageModelV3Message, { role: R }>
type User = OfRole<'user'>
type Assistant = OfRole<'assistant'>
type Tool = OfRole<'tool'>

/** Placeholders for texts that vendors require and the history lacks. */
const notes = {
  empty: '(This message is empty.)',
  earlier: '(The earlier messages are not shown.)',
  continuation: '(Go on.)',
  noOutput: '(no output)',
} as const

const allInputs: ModelInputs = {}

/**
 * Converts a prompt with any history to a form that every vendor accepts. The conversation starts and ends with user text
 * or tool results. Each call has a valid name, a unique id and exactly one result after it. No text is empty or contains an
 * unpaired surrogate.
 */
export function toValidPrompt(prompt: LanguageModelV3Prompt, inputs: ModelInputs = allInputs): LanguageModelV3Prompt {
  const instructions = prompt.filter((message) => message.role === 'system')
  const conversation = withValidCalls(
    prompt.filter((message) => message.role !== 'system'),
    inputs,
  )
  const opening =
    conversation[0]?.role === 'user' ? [] : [note(conversation.length === 0 ? notes.empty : notes.earlier)]
  const closing = conversation.at(-1)?.role === 'assistant' ? [note(notes.continuation)] : []
  return [...instructions.map((message) => toValidInstructions(message)), ...opening, ...conversation, ...closing]
}

const toValidInstructions = cachedByIdentity((message: OfRole<'system'>): OfRole<'system'> => ({
  ...message,
  content: storableText(message.content),
}))

function note(text: string): User {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** An assistant message whose results may follow, and the valid ids of its calls, in order. */
type PendingStep = { message: Assistant; ids: string[] }

/** Gives calls valid names and ids, each followed by its result. Drops results without a call. */
const withValidCalls = foldByPrefix({
  start: (_inputs: ModelInputs) => ({
    newId: createValidIds(),
    messages: [] as LanguageModelV3Message[],
    pending: undefined as PendingStep | undefined,
  }),
  add: (state, message: LanguageModelV3Message, inputs) => {
    const { newId, messages, pending } = state
    if (pending !== undefined)
      messages.push(...toValidStep(pending.message, message.role === 'tool' ? message : undefined, ...pending.ids))
    state.pending = undefined
    if (message.role === 'user') messages.push(toValidUser(message, inputs))
    if (message.role !== 'assistant') return
    const ids = message.content.flatMap((part) => (part.type === 'tool-call' ? [newId(part.toolCallId)] : []))
    state.pending = { message, ids }
  },
  end: ({ messages, pending }) =>
    pending === undefined ? [...messages] : [...messages, ...toValidStep(pending.message, undefined, ...pending.ids)],
})

/** Returns a valid step with the results of its calls. `newIds`: the ids of the calls, in order. */
const toValidStep = cachedByIdentity(
  (step: Assistant, next: Tool | undefined, ...newIds: string[]): (Assistant | Tool)[] => {
    const { content, ...message } = step
    const remainingIds = [...newIds]
    const pendingResults = next === undefined ? [] : next.content.filter((part) => part.type === 'tool-result')
    const answers: LanguageModelV3ToolResultPart[] = []
    const call = (part: LanguageModelV3ToolCallPart): LanguageModelV3ToolCallPart => {
      const resultIndex = pendingResults.findIndex(({ toolCallId }) => toolCallId === part.toolCallId)
      const [result] = resultIndex === -1 ? [] : pendingResults.splice(resultIndex, 1)
      const ids = { toolCallId: remainingIds.shift() ?? part.toolCallId, toolName: toValidToolName(part.toolName) }
      answers.push(
        result === undefined ? { type: 'tool-result', ...ids, output: interrupted } : toValidResult(result, ids),
      )
      return { ...part, ...ids, input: objectInput(part.input) }
    }
    const parts = content.flatMap((part): Assistant['content'] => {
      switch (part.type) {
        case 'tool-call':
          return [call(part)]
        case 'text':
          return isBlank(part.text) ? [] : [{ ...part, text: storableText(part.text) }]
        case 'reasoning':
          return [{ ...part, text: storableText(part.text) }]
        case 'file':
          return [{ type: 'text', text: `[The assistant made a file of type ${part.mediaType}.]` }]
        case 'tool-result':
          return []
        default:
          return part satisfies never
      }
    })
    // Vendors reject a message that contains only reasoning.
    if (!parts.some(({ type }) => type === 'text' || type === 'tool-call')) return []
    const validStep: Assistant = { ...message, content: parts }
    return answers.length === 0 ? [validStep] : [validStep, { role: 'tool', content: answers }]
  },
)

const interrupted: LanguageModelV3ToolResultPart['output'] = { type: 'error-text', value: 'interrupted' }

function toValidResult(
  { output, ...result }: LanguageModelV3ToolResultPart,
  ids: Pick<LanguageModelV3ToolResultPart, 'toolCallId' | 'toolName'>,
): LanguageModelV3ToolResultPart {
  if (output.type === 'text' || output.type === 'error-text') {
    const value = isBlank(output.value) ? notes.noOutput : storableText(output.value)
    return { ...result, ...ids, output: { ...output, value } }
  }
  if (output.type === 'execution-denied')
    return { ...result, ...ids, output: { ...output, reason: storableText(output.reason ?? 'Denied') } }
  return { ...result, ...ids, output }
}

/** Converts an input to an object, the only type that vendors accept. */
function objectInput(input: unknown): Record<string, unknown> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return storableJson(isObject ? input : { input: input ?? null }) as Record<string, unknown>
}

const toValidUser = cachedByIdentity(({ content, ...message }: User, inputs: ModelInputs): User => {
  const parts = content
    .map((part) => (part.type === 'file' ? toValidAttachment(part, inputs) : part))
    .filter((part) => part.type !== 'text' || !isBlank(part.text))
    .map((part) => (part.type === 'text' ? { ...part, text: storableText(part.text) } : part))
  return { ...message, content: parts.length > 0 ? parts : [{ type: 'text', text: notes.empty }] }
})

function isBlank(text: string): boolean {
  return text.trim() === ''
}
