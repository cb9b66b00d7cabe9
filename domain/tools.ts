import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import { z } from 'zod'
import type { CheckedInput } from './frames.ts'

const filePath = z.string().min(1).describe('Path, relative to the working directory')

const bash = z.object({
  command: z.string().min(1).describe('Command line for bash'),
  cwd: z.string().optional().describe('Folder to run in, relative to the working directory'),
  detached: z.boolean().optional().describe('Start it in the background and return at once'),
})
const read = z.object({
  filePath,
  offset: z.int().min(1).default(1).describe('First line, from 1'),
  limit: z.int().min(1).max(100_000).default(2000).describe('Number of lines'),
})
const write = z.object({ filePath, content: z.string().describe('The whole new content') })
const todo = z.object({
  todos: z.array(
    z.object({
      id: z.string().min(1),
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed']),
    }),
  ),
})
const task = z.object({
  task: z.string().min(1).describe('What is to be done, in one line'),
  instructions: z.string().min(1).describe('All that the sub-agent needs to know: it sees nothing of this chat'),
})
const question = z.object({
  question: z.string().min(1),
  header: z.string().max(12),
  options: z
    .array(z.object({ label: z.string().min(1), description: z.string() }))
    .min(2)
    .max(4),
  multiSelect: z.boolean().default(false),
})
const askUserQuestion = z.object({ questions: z.array(question).min(1).max(4) })

export type BashInput = z.output<typeof bash>
export type ReadInput = z.output<typeof read>
export type WriteInput = z.output<typeof write>
export type TodoInput = z.output<typeof todo>

/** The tool that is a sub-agent: its call is no single run but steps of their own. */
const runsSubAgent = 'task'
const subAgentTools = ['bash', 'read', 'write', 'grep', 'glob']

/** The tool whose call ends the turn and is answered by the user. */
export const waitsForUser = 'ask_user_question'

type Tool = { description: string; input: z.ZodType; mayRepeat: boolean }

/** Every tool: what it is for, its input, and whether it may be run again when the outcome of a first run is unknown. */
const tools: Record<string, Tool> = {
  bash: {
    description: 'Runs a command in the sandbox with bash, without a terminal, for at most 120 seconds.',
    input: bash,
    mayRepeat: false,
  },
  read: { description: 'Reads lines of a text file. Lines are numbered from 1.', input: read, mayRepeat: true },
  write: {
    description: 'Writes a file: makes parent folders and replaces what is there.',
    input: write,
    mayRepeat: true,
  },
  todo: { description: 'Replaces the list of things to do in this turn.', input: todo, mayRepeat: true },
  [runsSubAgent]: {
    description:
      'Gives a task to a sub-agent that works in the same sandbox with its own history, and answers with its last text. ' +
      'Several tasks of one step run side by side.',
    input: task,
    mayRepeat: true,
  },
  [waitsForUser]: {
    description: 'Asks the user one to four questions with options. The turn ends and goes on with the answers.',
    input: askUserQuestion,
    mayRepeat: true,
  },
}

const definitions: LanguageModelV3FunctionTool[] = Object.entries(tools).map(([name, { description, input }]) => ({
  type: 'function',
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input', target: 'draft-7' }) as LanguageModelV3FunctionTool['inputSchema'],
}))
const headlessDefinitions = definitions.filter(({ name }) => name !== waitsForUser)

/** What a model call offers. Nobody is there to answer a headless run's question. */
export const toolDefinitions = ({ headless }: { headless: boolean }): LanguageModelV3FunctionTool[] =>
  headless ? headlessDefinitions : definitions

/** What a model call of a sub-agent offers. */
export const subAgentDefinitions: LanguageModelV3FunctionTool[] = definitions.filter(({ name }) =>
  subAgentTools.includes(name),
)

/** The input with the schema's defaults, or what is wrong with it; undefined when there is no such tool. */
export const parseToolInput = (toolName: string, input: unknown): CheckedInput | undefined => {
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined
  if (tool === undefined) return undefined
  const parsed = tool.input.safeParse(input)
  if (parsed.success) return { ok: true, input: parsed.data }
  const [issue] = parsed.error.issues
  return {
    ok: false,
    error: `Invalid input at ${issue?.path.join('.') || 'the top'}: ${issue?.message ?? 'not valid'}`,
  }
}

/** True for a tool whose effects must not happen twice. */
export const runsAtMostOnce = (toolName: string): boolean => tools[toolName]?.mayRepeat !== true
