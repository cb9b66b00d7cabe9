import type {
  LanguageModelV3FilePart,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider'
import { cachedByIdentity } from '../../../domain/chat/prompt/identity-cache.ts'
import { foldByPrefix } from '../../../domain/chat/prompt/prefix-cache.ts'
import type { AnswerSource } from './chunks.ts'
import { isObject, type Json } from './json.ts'

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content']

const audioFormats: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

/**
 * Converts a prompt to messages of the protocol. Reasoning is sent back to its vendor: all reasoning of the current turn and,
 * from earlier turns, reasoning that preceded tool calls or that the vendor signed. Servers reject these messages without
 * their reasoning, and some reject reasoning in other messages of earlier turns.
 */
export function toWireMessages(prompt: LanguageModelV3Prompt, { adapter, vendor }: AnswerSource): Json[] {
  const messages = mergeAdjacent(prompt)
  const currentTurn = messages.findLastIndex((message) => message.role === 'user') + 1
  return convertMessages(messages, adapter, vendor, currentTurn)
}

/** Converts messages to the protocol. `currentTurn`: index of the first message after the last message of the user. */
const convertMessages = foldByPrefix({
  start: (_adapter: string, _vendor: string | undefined, _currentTurn: number) => ({
    count: 0,
    messages: [] as Json[],
  }),
  add: (state, message: LanguageModelV3Message, adapter, vendor, currentTurn) => {
    state.messages.push(...convertMessage(message, adapter, vendor, state.count >= currentTurn))
    state.count++
  },
  end: ({ messages }) => [...messages],
})

/** Merges adjacent messages of the same role, because many chat templates reject them. */
function mergeAdjacent(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const out: LanguageModelV3Prompt = []
  for (const message of prompt) {
    const last = out.at(-1)
    if (last?.role === 'user' && message.role === 'user')
      out[out.length - 1] = { ...last, content: [...last.content, ...message.content] }
    else if (last?.role === 'assistant' && message.role === 'assistant')
      out[out.length - 1] = { ...message, content: [...last.content, ...message.content] }
    else out.push(message)
  }
  return out
}

export function toWireTools(tools: readonly LanguageModelV3FunctionTool[], wireName: (name: string) => string): Json[] {
  return tools.map((tool) => convertTool(tool, wireName(tool.name)))
}

const convertTool = cachedByIdentity(
  ({ description, inputSchema, strict }: LanguageModelV3FunctionTool, name: string): Json => ({
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: inputSchema,
      ...(strict !== undefined && { strict }),
    },
  }),
)

/** Caches the text of each member for prompts that do not extend the previous one, because they dropped or marked a message. */
const serializeMember = cachedByIdentity((member: Json): string => JSON.stringify(member))

/** Serializes an array of wire objects. */
export const serializeMembers = foldByPrefix({
  start: () => ({ text: '' }),
  add: (state, member: Json) => void (state.text += `${state.text === '' ? '' : ','}${serializeMember(member)}`),
  end: ({ text }) => `[${text}]`,
})

const cacheMark = { cache_control: { type: 'ephemeral' } }

/** Marks the last tool and the last message for models whose prompt cache requires markers. */
export function withCacheMarks(messages: Json[], tools: Json[]): { messages: Json[]; tools: Json[] } {
  const last = messages.at(-1)
  const content = last?.['content']
  const parts: unknown = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const marked = Array.isArray(parts)
    ? {
        ...last,
        content: parts.map((part: Json, index) => (index === parts.length - 1 ? { ...part, ...cacheMark } : part)),
      }
    : last
  return {
    messages: marked === undefined ? messages : [...messages.slice(0, -1), marked],
    tools: tools.map((tool, index) => (index === tools.length - 1 ? { ...tool, ...cacheMark } : tool)),
  }
}

function buildAssistantMessage(content: AssistantContent, source: AnswerSource, isCurrent: boolean): Json {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const calls = content.filter((part) => part.type === 'tool-call').map((call) => convertCall(call, source))
  const message: Json = { role: 'assistant', content: text === '' && calls.length > 0 ? null : text }
  if (calls.length > 0) message['tool_calls'] = calls
  addReasoning(message, content, source, isCurrent || calls.length > 0)
  return message
}

function convertCall(call: Extract<AssistantContent[number], { type: 'tool-call' }>, source: AnswerSource): Json {
  const extra = readProviderData(source, call.providerOptions)?.['extra']
  return {
    id: call.toolCallId,
    type: 'function',
    function: { name: call.toolName, arguments: JSON.stringify(call.input ?? {}) },
    ...(isObject(extra) && { extra_content: extra }),
  }
}

/** Adds reasoning under the member name in which it arrived, because some servers require the same name. */
function addReasoning(message: Json, content: AssistantContent, source: AnswerSource, echoesText: boolean): void {
  const blocks: Json[] = []
  for (const part of content) {
    if (part.type !== 'reasoning') continue
    const { reasoningField: field, detailsField, details } = readProviderData(source, part.providerOptions) ?? {}
    if (typeof detailsField === 'string' && Array.isArray(details))
      message[detailsField] = [...((message[detailsField] as unknown[] | undefined) ?? []), ...(details as unknown[])]
    if (!echoesText || part.text === '' || typeof field !== 'string') continue
    if (field === 'content') blocks.push({ type: 'thinking', thinking: [{ type: 'text', text: part.text }] })
    else message[field] = `${typeof message[field] === 'string' ? message[field] : ''}${part.text}`
  }
  if (blocks.length === 0) return
  const { content: text } = message
  message['content'] = [...blocks, ...(typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [])]
}

/** Returns the data that a part contains for this adapter and vendor. */
function readProviderData(
  { adapter, vendor }: AnswerSource,
  options: Record<string, Json> | undefined,
): Json | undefined {
  const data = options?.[adapter]
  return data !== undefined && data['vendor'] === vendor ? data : undefined
}

const convertMessage = cachedByIdentity(
  (message: LanguageModelV3Message, adapter: string, vendor: string | undefined, isCurrent: boolean): Json[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.content }]
      case 'user': {
        const texts = message.content.map((part) => (part.type === 'text' ? part.text : undefined))
        // Some servers accept a string, but no list of parts.
        if (texts.every((text) => text !== undefined)) return [{ role: 'user', content: texts.join('\n\n') }]
        const content = message.content.map((part) =>
          part.type === 'text' ? { type: 'text', text: part.text } : convertFile(part),
        )
        return [{ role: 'user', content }]
      }
      case 'assistant':
        return [buildAssistantMessage(message.content, { adapter, vendor }, isCurrent)]
      case 'tool':
        return message.content
          .filter((part) => part.type === 'tool-result')
          .map((part) => ({ role: 'tool', tool_call_id: part.toolCallId, content: formatOutput(part.output) }))
      default:
        return message satisfies never
    }
  },
)

/** Converts a file. Images, audio and documents become parts of the protocol; text files and other links become text parts. */
function convertFile({ data, mediaType, filename }: LanguageModelV3FilePart): Json {
  const image = mediaType.startsWith('image/')
  if (data instanceof URL)
    return image
      ? { type: 'image_url', image_url: { url: data.href } }
      : { type: 'text', text: `[${filename ?? 'file'}](${data.href})` }
  const base64 = toBase64(data)
  const url = `data:${mediaType === 'image/*' ? 'image/jpeg' : mediaType};base64,${base64}`
  if (image) return { type: 'image_url', image_url: { url } }
  const format = audioFormats[mediaType]
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: base64, format } }
  if (mediaType.startsWith('text/') || mediaType === 'application/json')
    return { type: 'text', text: `${filename ?? 'file'}:\n${Buffer.from(base64, 'base64').toString('utf8')}` }
  return { type: 'file', file: { filename: filename ?? 'file', file_data: url } }
}

function toBase64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64')
}

function formatOutput(output: LanguageModelV3ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'execution-denied':
      return output.reason ?? 'The execution was denied'
    case 'json':
    case 'error-json':
    case 'content':
      return JSON.stringify(output.value)
    default:
      return output satisfies never
  }
}
