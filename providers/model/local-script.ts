import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import { parseJson } from '../../domain/fields/json.ts'

export type ScriptedCall = { toolName: string; input: unknown }

/** Actions of the scripted model in one step. */
export type ScriptedStep = {
  think: string
  text: string
  calls: ScriptedCall[]
  /** Simulated failure of the call. `times`: number of failures before a success; undefined: it always fails. */
  failure?:
    | { kind: 'fail'; times: number | undefined }
    | { kind: 'cut'; words: number }
    | { kind: 'bad-request' }
    | { kind: 'stall' }
}

type Directive = { word: string; rest: string }

const maxQuoteCharacters = 2000
const directivePattern = /^(?:\$ +(?<command>(?! ).+)|@(?<word>[a-z-]+)(?: +(?<rest>(?! ).*))?)$/
const directiveWords = new Set([
  'say',
  'words',
  'think',
  'read',
  'write',
  'call',
  'ask',
  'task',
  'fail',
  'cut',
  'badrequest',
  'loop',
  'stall',
  'garbage-call',
])

/**
 * Determines the next step from the prompt alone: each assistant message after the last user message is a completed step.
 * After the last directive, the step reports the results of the last tools.
 */
export function nextStep(prompt: LanguageModelV3Prompt, toolNames: ReadonlySet<string>): ScriptedStep {
  const lastUser = prompt.findLastIndex((message) => message.role === 'user')
  const userText = joinText(prompt[lastUser])
  const stepMessages = prompt.slice(lastUser + 1)
  const stepCount = stepMessages.filter((message) => message.role === 'assistant').length
  const hasDirectives = userText.split('\n').some((line) => parseDirective(line) !== undefined)
  const groups = hasDirectives ? splitGroups(userText) : [userText.split('\n')]
  const loopIndex = groups.findIndex((lines) => lines.some((line) => parseDirective(line)?.word === 'loop'))
  const group = groups[loopIndex !== -1 && stepCount > loopIndex ? loopIndex : stepCount]
  if (group !== undefined) return buildStep(group, prompt, toolNames)
  const results = stepMessages
    .findLast((message) => message.role === 'tool')
    ?.content.filter((part) => part.type === 'tool-result')
  return {
    think: '',
    text: formatReport(results ?? []) || defaultReply(prompt, withoutDirectives(userText.split('\n'))),
    calls: [],
  }
}

function joinText(message: LanguageModelV3Message | undefined): string {
  return message === undefined || typeof message.content === 'string'
    ? ''
    : message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

function parseDirective(line: string): Directive | undefined {
  const groups = directivePattern.exec(line.trimEnd())?.groups
  if (groups === undefined) return undefined
  if (groups['command'] !== undefined) return { word: '$', rest: groups['command'] }
  const word = groups['word'] ?? ''
  return directiveWords.has(word) ? { word, rest: groups['rest'] ?? '' } : undefined
}

/** Splits a message into its steps, which are separated by lines of three dashes. */
function splitGroups(text: string): string[][] {
  const groups: string[][] = [[]]
  for (const line of text.split('\n'))
    if (line.trim() === '---') groups.push([])
    else groups.at(-1)?.push(line)
  return groups
}

function buildStep(
  lines: readonly string[],
  prompt: LanguageModelV3Prompt,
  toolNames: ReadonlySet<string>,
): ScriptedStep {
  const directives = lines.map(parseDirective).filter((item) => item !== undefined)
  const requestedCalls = directives.flatMap(toCalls)
  // Directives may call tools that do not exist. Without tools in the request, no tool is called.
  const calls = toolNames.size === 0 ? [] : requestedCalls
  const texts = directives.flatMap(({ word, rest }) =>
    word === 'say' ? [rest] : word === 'words' ? [buildWords(Math.min(Number(rest) || 0, 1_000_000))] : [],
  )
  const notices = requestedCalls.length > calls.length ? ['The directives call tools, but none are offered.'] : []
  const text = [...texts, ...notices].join('\n')
  const failure = findFailure(directives)
  return {
    think: directives
      .filter(({ word }) => word === 'think')
      .map(({ rest }) => rest)
      .join('\n'),
    text: text === '' && calls.length === 0 ? defaultReply(prompt, withoutDirectives(lines)) : text,
    calls,
    ...(failure !== undefined && { failure }),
  }
}

function toCalls({ word, rest }: Directive): ScriptedCall[] {
  const [first, remainder] = splitFirstWord(rest)
  switch (word) {
    case '$':
      return [{ toolName: 'bash', input: { command: rest } }]
    case 'loop':
      return [{ toolName: 'bash', input: { command: 'true' } }]
    case 'read':
      return [{ toolName: 'read', input: { filePath: first } }]
    case 'write':
      return [{ toolName: 'write', input: { filePath: first, content: `${remainder}\n` } }]
    case 'call':
      return [{ toolName: first, input: parseInput(remainder) }]
    case 'ask':
      return [buildQuestion(rest)]
    case 'task':
      return [{ toolName: 'task', input: { task: 'A task', instructions: rest.replaceAll(/(?<!\s)\s*;;\s*/g, '\n') } }]
    case 'garbage-call':
      return [
        { toolName: 'bash', input: { command: 42 } },
        { toolName: 'bash', input: '{"command": "echo' },
        { toolName: 'no_such_tool', input: {} },
      ]
    default:
      return []
  }
}

function splitFirstWord(text: string): [string, string] {
  const index = text.search(/\s/)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index).trimStart()]
}

function parseInput(text: string): unknown {
  try {
    return parseJson(text || '{}')
  } catch {
    return text
  }
}

function buildQuestion(rest: string): ScriptedCall {
  const end = rest.indexOf('?') + 1
  const questionText = end > 0 ? rest.slice(0, end) : rest
  const answers = (end > 0 ? rest.slice(end) : '')
    .split('|')
    .map((label) => label.trim())
    .filter(Boolean)
    .slice(0, 4)
  const labels = answers.length >= 2 ? answers : ['Yes', 'No']
  const options = labels.map((label) => ({ label, description: `Choose ${label}` }))
  return {
    toolName: 'ask_user_question',
    input: {
      questions: [{ question: questionText || 'Shall I continue?', header: 'Question', options, multiSelect: false }],
    },
  }
}

function buildWords(count: number): string {
  return Array.from({ length: count }, (_, index) => `word-${index + 1}`).join(' ')
}

function findFailure(directives: readonly Directive[]): ScriptedStep['failure'] {
  for (const { word, rest } of directives) {
    const count = /^\d+$/.test(rest) ? Number(rest) : undefined
    if (word === 'fail') return { kind: 'fail', times: count }
    if (word === 'cut') return { kind: 'cut', words: count ?? 3 }
    if (word === 'badrequest') return { kind: 'bad-request' }
    if (word === 'stall') return { kind: 'stall' }
  }
  return undefined
}

function defaultReply(prompt: LanguageModelV3Prompt, userText: string): string {
  const count = prompt.filter((message) => message.role !== 'system').length
  const messageCount = `${count} ${count === 1 ? 'message' : 'messages'} of this chat`
  return userText.trim() === ''
    ? `Done. I can see ${messageCount}.`
    : `You said: "${userText.trim().slice(0, maxQuoteCharacters)}" I can see ${messageCount}. I am the embedded scripted model; content/docs/run/local-model.md lists my directives.`
}

function withoutDirectives(lines: readonly string[]): string {
  return lines.filter((line) => parseDirective(line) === undefined).join('\n')
}

function formatReport(results: readonly LanguageModelV3ToolResultPart[]): string {
  return results.map(({ toolName, output }) => `${toolName} answered:\n\n${quote(output)}`).join('\n\n')
}

function quote(output: LanguageModelV3ToolResultOutput): string {
  if (output.type === 'execution-denied') return output.reason ?? 'denied'
  if (typeof output.value === 'string') return output.value.slice(0, maxQuoteCharacters)
  const value = output.value
  const mainField =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value['stdout'] ?? value['content'] ?? value['error'])
      : undefined
  return (typeof mainField === 'string' ? mainField : JSON.stringify(value)).slice(0, maxQuoteCharacters)
}
