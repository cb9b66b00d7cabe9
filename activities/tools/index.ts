import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import { z } from 'zod'
import type { CheckedInput } from '../../domain/tools/inputs.ts'
import { askUserQuestion } from './ask-user-question.ts'
import { bash } from './bash.ts'
import type { Agent, Tool } from './define.ts'
import { fetch } from './fetch.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { read } from './read.ts'
import { skill } from './skill.ts'
import { task } from './task.ts'
import { todo } from './todo.ts'
import { write } from './write.ts'

/** Every tool, in the order in which a model receives them. */
const tools: readonly Tool[] = [bash, read, write, grep, glob, todo, task, askUserQuestion, skill, fetch]

const byName = new Map(tools.map((tool) => [tool.name, tool]))

const definitions = new Map(
  tools.map(({ name, description, input }) => {
    const inputSchema = z.toJSONSchema(input, { io: 'input', target: 'draft-7' })
    return [name, { type: 'function', name, description, inputSchema } as LanguageModelV3FunctionTool]
  }),
)

export function findTool(name: string): Tool | undefined {
  return byName.get(name)
}

/** Returns the tools that a model call of this agent offers, and a function that checks the input of their calls. */
export function offerTools(agent: Agent) {
  const offeredTools = tools.filter((tool) => tool.offeredTo(agent))
  return {
    definitions: offeredTools.flatMap(({ name }) => definitions.get(name) ?? []),
    /** Returns the input with the schema's defaults, or its errors; undefined if the tool is not offered. */
    checkInput: (name: string, input: unknown): CheckedInput | undefined => {
      const tool = offeredTools.find((tool) => tool.name === name)
      return tool && parseInput(tool, input)
    },
  }
}

/** True for a call whose effects must not happen twice. */
export function runsAtMostOnce(name: string, input?: unknown): boolean {
  const mayRepeat = byName.get(name)?.mayRepeat ?? false
  return !(typeof mayRepeat === 'function' ? input !== undefined && mayRepeat(input) : mayRepeat)
}

/** True for a call that may run twice. This includes calls of unknown tools, which have no effect. */
export function isRepeatable(name: string, input: unknown): boolean {
  return !byName.has(name) || !runsAtMostOnce(name, input)
}

/** True for a call that may start as soon as its model call ends, because it is repeatable and needs no sandbox. */
export function startsWithStep(name: string, input: unknown): boolean {
  return (byName.get(name)?.runsIn ?? 'worker') === 'worker' && isRepeatable(name, input)
}

/** True for a call that may change files of the sandbox. */
export function changesFiles(name: string): boolean {
  const tool = byName.get(name)
  return tool?.runsIn === 'sandbox' && tool.changesFiles === true
}

function parseInput(tool: Tool, input: unknown): CheckedInput {
  const parsed = tool.input.safeParse(input)
  if (parsed.success) return { ok: true, input: parsed.data }
  const [issue] = parsed.error.issues
  return {
    ok: false,
    error: `Invalid input at ${issue?.path.join('.') || 'the top'}: ${issue?.message ?? 'not valid'}`,
  }
}
