import type { LanguageModelV3DataContent, LanguageModelV3Message } from '@ai-sdk/provider'
import { cachedByIdentity } from './identity-cache.ts'
import { foldByPrefix } from './prefix-cache.ts'

type ContentPart = Exclude<LanguageModelV3Message['content'], string>[number]

/** Estimates the tokens of a message: its characters / 4, rounded up, plus 4. */
export const messageTokens = cachedByIdentity(
  (message: LanguageModelV3Message): number => Math.ceil(countCharacters(message) / 4) + 4,
)

export const promptTokens = foldByPrefix({
  start: () => ({ tokens: 0 }),
  add: (state, message: LanguageModelV3Message) => void (state.tokens += messageTokens(message)),
  end: ({ tokens }) => tokens,
})

/** Returns the maximum history tokens: the caller's limit, at most the window. Default: the window minus its reserve. */
export function contextCap(
  contextLimit: number | undefined | null,
  model: { contextWindow: number; outputReserve: number },
): number {
  return contextLimit === undefined || contextLimit === null
    ? model.contextWindow - model.outputReserve
    : Math.min(contextLimit, model.contextWindow)
}

/**
 * Returns the latest messages whose tokens are within the cap. The last user message and everything after it are always
 * kept; a tool call and its result are kept or dropped together. The system prompt is not part of `messages`.
 */
export function withinContext(messages: readonly LanguageModelV3Message[], cap: number): LanguageModelV3Message[] {
  if (promptTokens(messages) <= cap) return [...messages]
  const starts = groupStarts(messages)
  const lastUser = messages.findLastIndex((message) => message.role === 'user')
  let from = messages.length
  let tokens = 0
  while (from > 0) {
    const start = groupStart(starts, from - 1)
    const groupTokens = promptTokens(messages.slice(start, from))
    if (tokens + groupTokens > cap && from <= lastUser) break
    if (tokens + groupTokens > cap && lastUser === -1) break
    from = start
    tokens += groupTokens
  }
  return messages.slice(from)
}

function countCharacters(message: LanguageModelV3Message): number {
  return typeof message.content === 'string'
    ? message.content.length
    : message.content.reduce((sum, part) => sum + charactersOfPart(part), 0)
}

function charactersOfPart(part: ContentPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length
    case 'file':
      return charactersOfData(part.data)
    case 'tool-call':
      return part.toolName.length + charactersOfJson(part.input)
    case 'tool-result':
      if (part.output.type === 'execution-denied') return part.output.reason?.length ?? 0
      return typeof part.output.value === 'string' ? part.output.value.length : charactersOfJson(part.output.value)
    case 'tool-approval-response':
      return 0
    default:
      return part satisfies never
  }
}

function charactersOfData(data: LanguageModelV3DataContent): number {
  return data instanceof URL
    ? data.href.length
    : typeof data === 'string'
      ? data.length
      : Math.ceil(data.length / 3) * 4
}

function charactersOfJson(value: unknown): number {
  return (JSON.stringify(value) ?? '').length
}

/** Returns, for each message, the index of the first message to keep with it: the message with the calls of its results. */
function groupStarts(messages: readonly LanguageModelV3Message[]): number[] {
  const callIndexes = new Map<string, number>()
  return messages.map((message, index) => {
    for (const id of listCallIds(message, 'tool-call')) callIndexes.set(id, index)
    return Math.min(index, ...listCallIds(message, 'tool-result').map((id) => callIndexes.get(id) ?? index))
  })
}

function listCallIds(message: LanguageModelV3Message, type: 'tool-call' | 'tool-result'): string[] {
  return typeof message.content === 'string'
    ? []
    : message.content.filter((part) => part.type === type).map((part) => ('toolCallId' in part ? part.toolCallId : ''))
}

/** Returns the start of the group of messages that ends with `last`. No call before the start has its result in the group. */
function groupStart(starts: readonly number[], last: number): number {
  let start = last
  for (let index = last; index >= start; index--) start = Math.min(start, starts[index] ?? index)
  return start
}
