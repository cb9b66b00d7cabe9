import type {
  JSONValue,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { describeDenial, isApprovalRequest, isGranted } from '../approvals.ts'
import { filePart } from './file-part.ts'
import { messageText, type MessagePart, type UiMessage } from '../messages.ts'
import { steeredParts } from '../queue.ts'
import { announcedLoss } from '../../sandboxes/loss.ts'
import { storableJson, storableText } from '../../fields/storable.ts'
import { subAgentTool } from '../../tools/turn-tools.ts'
import { cachedByIdentity } from './identity-cache.ts'
import { foldByPrefix } from './prefix-cache.ts'

type AssistantPart =
  | LanguageModelV3TextPart
  | LanguageModelV3FilePart
  | LanguageModelV3ReasoningPart
  | LanguageModelV3ToolCallPart

/**
 * Converts a chat's messages to the form that models accept. Drops system messages, which are the caller's instructions,
 * and parts that models do not understand. A call without a result gets the result `interrupted`.
 */
export function toPrompt(messages: readonly Pick<UiMessage, 'role' | 'parts'>[]): LanguageModelV3Prompt {
  return messages.flatMap((message) =>
    message.role === 'user'
      ? userMessage(message.parts)
      : message.role === 'assistant'
        ? assistantMessages(message.parts)
        : [],
  )
}

/** Returns the texts of a request's system messages, in order. */
export function callerInstructions(messages: readonly Pick<UiMessage, 'role' | 'parts'>[]): string[] {
  return messages
    .filter((message) => message.role === 'system')
    .map(messageText)
    .filter((text) => text.trim() !== '')
}

const userMessage = cachedByIdentity((parts: readonly MessagePart[]): LanguageModelV3Message[] => {
  const content = parts
    .map((part) => (part.type === 'text' ? textPart(part) : part.type === 'file' ? filePart(part) : undefined))
    .filter((part) => part !== undefined)
  return content.length > 0 ? [{ role: 'user', content }] : []
})

function textPart(part: MessagePart): LanguageModelV3TextPart | undefined {
  return typeof part['text'] === 'string' && part['text'] !== ''
    ? { type: 'text', text: part['text'], ...toProviderOptions(part['providerMetadata']) }
    : undefined
}

function toProviderOptions(metadata: unknown): { providerOptions?: SharedV3ProviderOptions } {
  return isObject(metadata) ? { providerOptions: metadata as SharedV3ProviderOptions } : {}
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the steps of an assistant message, and the steering messages and sandbox-loss notices between them. */
const assistantMessages = foldByPrefix({
  start: () => ({ messages: [] as LanguageModelV3Message[], step: [] as MessagePart[] }),
  add: (state, part: MessagePart) => {
    const insertedParts = steeredParts(part) ?? announcedLoss(part)
    if (part.type !== 'step-start' && insertedParts === undefined) {
      state.step.push(part)
      return
    }
    state.messages.push(...convertStep(state.step))
    state.step = []
    if (insertedParts !== undefined) state.messages.push(...userMessage(insertedParts))
  },
  end: ({ messages, step }) => [...messages, ...convertStep(step)],
})

function convertStep(step: readonly MessagePart[]): LanguageModelV3Message[] {
  const last = step.at(-1)
  return last === undefined ? [] : stepMessages(last, ...step)
}

/** Converts one step of an assistant message: its content, then the results of its calls. The last part is the cache key. */
const stepMessages = cachedByIdentity((_last: MessagePart, ...parts: MessagePart[]): LanguageModelV3Message[] => {
  const content: AssistantPart[] = []
  const results: LanguageModelV3ToolResultPart[] = []
  for (const part of parts) {
    const toolName = readToolName(part)
    if (toolName !== undefined) {
      const call = { toolCallId: String(part['toolCallId']), toolName }
      const options = toProviderOptions(part['callProviderMetadata'])
      content.push({ type: 'tool-call', ...call, input: readInput(part), ...options })
      results.push({ type: 'tool-result', ...call, output: toOutput(toolName, part), ...options })
      continue
    }
    const promptPart =
      part.type === 'text'
        ? textPart(part)
        : part.type === 'reasoning'
          ? reasoningPart(part)
          : part.type === 'file'
            ? filePart(part)
            : undefined
    if (promptPart !== undefined) content.push(promptPart)
  }
  const messages: LanguageModelV3Message[] = []
  if (content.length > 0) messages.push({ role: 'assistant', content })
  if (results.length > 0) messages.push({ role: 'tool', content: results })
  return messages
})

function readToolName(part: MessagePart): string | undefined {
  if (typeof part['toolCallId'] !== 'string') return undefined
  if (part.type === 'dynamic-tool') return typeof part['toolName'] === 'string' ? part['toolName'] : undefined
  return part.type.startsWith('tool-') && part.type.length > 5 ? part.type.slice(5) : undefined
}

/** Returns the input as an object: vendors require one, but a model may produce any value. */
function readInput(part: MessagePart): JSONValue {
  const input = part['input'] ?? part['rawInput'] ?? {}
  return storableJson(isObject(input) ? input : { input }) as JSONValue
}

function toOutput(toolName: string, part: MessagePart): LanguageModelV3ToolResultOutput {
  if (part['state'] === 'output-error') return { type: 'error-text', value: storableText(String(part['errorText'])) }
  if (part['state'] === 'output-denied' || isDenied(part))
    return { type: 'execution-denied', reason: describeDenial(part) }
  if (part['state'] !== 'output-available' || part['preliminary'] === true)
    return { type: 'error-text', value: 'interrupted' }
  const output = part['output'] ?? null
  if (toolName === subAgentTool && isObject(output) && Array.isArray(output['final']))
    return { type: 'text', value: storableText(subTaskText(output['final'])) }
  return typeof output === 'string'
    ? { type: 'text', value: storableText(output) }
    : { type: 'json', value: storableJson(output) as JSONValue }
}

/** Returns whether the call was denied, or not approved before the chat continued. */
function isDenied(part: MessagePart): boolean {
  return isApprovalRequest(part) || (part['state'] === 'approval-responded' && !isGranted(part))
}

/** Returns a sub-agent's result for its parent: the text of its last message. */
function subTaskText(final: readonly unknown[]): string {
  const last = final.findLast((message) => isObject(message) && message['role'] === 'assistant')
  const content = isObject(last) ? last['content'] : undefined
  const text = Array.isArray(content)
    ? content
        .filter((part) => isObject(part) && part['type'] === 'text')
        .map((part: Record<string, unknown>) => String(part['text']))
        .join('')
    : content
  return typeof text === 'string' && text !== '' ? text : 'Sub-task finished'
}

function reasoningPart(part: MessagePart): LanguageModelV3ReasoningPart | undefined {
  return typeof part['text'] === 'string' && (part['text'] !== '' || part['providerMetadata'] !== undefined)
    ? { type: 'reasoning', text: part['text'], ...toProviderOptions(part['providerMetadata']) }
    : undefined
}
