import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { MessagePart } from './messages.ts'
import { toValidPrompt } from './prompt/valid-prompt.ts'
import { toPrompt } from './prompt/prompt.ts'
import { systemPrompt, type SystemPrompt } from './prompt/system-prompt.ts'
import type { Usage } from '../credits/usage.ts'

/** The input of a `task` call. */
export type TaskInput = { task: string; instructions: string }

/** Progress of a sub-agent, in the output of its call. `startedAt` is in ISO 8601. */
export type SubAgentProgress = { toolCallCount: number; startedAt: string; modelId: string; usage?: Usage }

/** The tool call that started last. */
export type PendingCall = { name: string; input: unknown }

const rules = `You are a sub-agent: another agent gave you one task and waits for its result. It sees nothing of what you do
but the last text that you write, so end with a text that has the whole result. You cannot ask questions: decide
yourself, and say what you decided. Do the task and nothing beyond it.`

/** Builds the prompt of a sub-agent from its task and its own history, without the chat. */
export function subAgentPrompt(
  context: Pick<SystemPrompt, 'workingDirectory' | 'accountId' | 'artistId'>,
  { task, instructions }: TaskInput,
  parts: readonly MessagePart[],
): { system: string; history: LanguageModelV3Prompt } {
  return {
    system: [systemPrompt({ ...context, skills: [], instructions: [] }), `# Sub-agent\n${rules}`].join('\n\n'),
    history: toValidPrompt(
      toPrompt([
        { role: 'user', parts: [{ type: 'text', text: `${task}\n\n${instructions}` }] },
        { role: 'assistant', parts: [...parts] },
      ]),
    ),
  }
}

/** Returns the parts of a step with the outputs of its calls. */
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

/** Maximum characters of a text in the input of a preliminary output. */
const maxCharacters = 2000

/** Shortens long texts of an input for a preliminary output, because each output is a frame of the log. */
export function shortenInput(input: unknown): unknown {
  if (typeof input === 'string')
    return input.length > maxCharacters ? `${input.slice(0, maxCharacters).replace(/\p{Surrogate}$/u, '')}…` : input
  if (Array.isArray(input)) return input.map(shortenInput)
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, shortenInput(value)]))
}
