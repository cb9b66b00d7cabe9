import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { MessagePart } from './messages.ts'
import { legalPrompt } from './prompt/legal.ts'
import { toPrompt } from './prompt/prompt.ts'
import { systemPrompt, type SystemPrompt } from './prompt/system-prompt.ts'
import type { Usage } from '../credits/usage.ts'

/** The input of a `task` call. */
export type TaskInput = { task: string; instructions: string }

/** Where a sub-agent stands, as the output of its call says. `startedAt`: ISO 8601. */
export type SubAgentProgress = { toolCallCount: number; startedAt: string; modelId: string; usage?: Usage }

/** The call that a sub-agent has begun last. */
export type PendingCall = { name: string; input: unknown }

const rules = `You are a sub-agent: another agent gave you one task and waits for its result. It sees nothing of what you do
but the last text that you write, so end with a text that has the whole result. You cannot ask questions: decide
yourself, and say what you decided. Do the task and nothing beyond it.`

/** What the model of a sub-agent is asked: its task and what it said and did so far, nothing of the chat. */
export function subAgentPrompt(
  context: Pick<SystemPrompt, 'workingDirectory' | 'accountId' | 'artistId'>,
  { task, instructions }: TaskInput,
  parts: readonly MessagePart[],
): { system: string; history: LanguageModelV3Prompt } {
  return {
    system: [systemPrompt({ ...context, skills: [], instructions: [] }), `# Sub-agent\n${rules}`].join('\n\n'),
    history: legalPrompt(
      toPrompt([
        { role: 'user', parts: [{ type: 'text', text: `${task}\n\n${instructions}` }] },
        { role: 'assistant', parts: [...parts] },
      ]),
    ),
  }
}

/** The parts of a step with the outputs of its calls, by call id. */
export function withOutputs(
  parts: readonly MessagePart[],
  calls: readonly { toolCallId: string; output?: unknown }[],
): MessagePart[] {
  const outputs = new Map(calls.map(({ toolCallId, output }) => [toolCallId, output]))
  return parts.map((part) => {
    const callId = String(part['toolCallId'])
    return outputs.has(callId) ? { ...part, state: 'output-available', output: outputs.get(callId) } : part
  })
}

/** Longest text in the input that a preliminary output shows, in characters. */
const shownCharacters = 2000

/** An input as a preliminary output shows it: long texts are cut, for each output is a frame of the log. */
export function shownInput(input: unknown): unknown {
  if (typeof input === 'string')
    return input.length > shownCharacters ? `${input.slice(0, shownCharacters).replace(/\p{Surrogate}$/u, '')}…` : input
  if (Array.isArray(input)) return input.map(shownInput)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shownInput(value)]))
}
