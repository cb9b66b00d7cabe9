import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import { z } from 'zod'
import type { CheckedInput } from './inputs.ts'

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
const grep = z.object({
  pattern: z
    .string()
    .min(1)
    .max(2000)
    .describe('Regular expression in Perl syntax for one line, without lookaround and back-references'),
  path: z.string().min(1).describe('File or folder to search, relative to the working directory'),
  glob: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Search only files that match, for example *.ts or src/**/*.md'),
  caseSensitive: z.boolean().default(true),
})
const glob = z.object({
  pattern: z.string().min(1).max(1000).describe('For example src/**/*.ts; ** is any depth'),
  path: z.string().min(1).optional().describe('Folder to search, relative to the working directory'),
  limit: z.int().min(1).max(1000).default(100).describe('Files at most, latest change first'),
})
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

const skill = z.object({
  skill: z.string().min(1).max(200).describe('Name of the skill'),
  args: z.string().max(10_000).optional().describe('What the skill is to be applied to'),
})
const fetch = z.object({
  url: z.string().min(1).max(8192).describe('http or https address'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional().describe('Sent with every method but GET'),
})

export type BashInput = z.output<typeof bash>
export type ReadInput = z.output<typeof read>
export type WriteInput = z.output<typeof write>
export type GrepInput = z.output<typeof grep>
export type GlobInput = z.output<typeof glob>
export type TodoInput = z.output<typeof todo>
export type SkillInput = z.output<typeof skill>
export type FetchInput = z.output<typeof fetch>

const subAgentTools = ['bash', 'read', 'write', 'grep', 'glob']

/** The tool whose call ends the turn and is answered by the user. */
export const waitsForUser = 'ask_user_question'

/** The tool whose call is a sub-agent: not one execution but steps of its own. */
export const runsSubAgent = 'task'

/** The tool that is offered only where a skill exists. */
const ofSkills = 'skill'

type Tool = { description: string; input: z.ZodType; mayRepeat: boolean | ((input: unknown) => boolean) }

/** Every tool: its purpose, its input, and whether it may run again if the outcome of the first run is unknown. */
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
  grep: {
    description:
      'Searches files for lines that match a regular expression: at most 100 matches, 10 per file. Skips hidden folders and node_modules.',
    input: grep,
    mayRepeat: true,
  },
  glob: {
    description: 'Finds files by a path pattern, latest change first. Skips hidden folders and node_modules.',
    input: glob,
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
  [ofSkills]: {
    description: 'Loads the instructions of one of the listed skills. Do so before doing what the skill describes.',
    input: skill,
    mayRepeat: true,
  },
  fetch: {
    description:
      'Makes an HTTP request to a public address or to the platform, for at most 30 seconds. The body of the answer is cut at 10000 bytes.',
    input: fetch,
    mayRepeat: (input) => (input as Partial<FetchInput> | undefined)?.method === 'GET',
  },
}

const definitions: LanguageModelV3FunctionTool[] = Object.entries(tools).map(([name, { description, input }]) => ({
  type: 'function',
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input', target: 'draft-7' }) as LanguageModelV3FunctionTool['inputSchema'],
}))

/** Tools offered by a model call. A headless run cannot ask questions. */
export function toolDefinitions({
  headless,
  hasSkills = false,
}: {
  headless: boolean
  hasSkills?: boolean
}): LanguageModelV3FunctionTool[] {
  return definitions.filter(({ name }) => (name !== waitsForUser || !headless) && (name !== ofSkills || hasSkills))
}

/** Tools offered by a model call of a sub-agent. */
export const subAgentDefinitions: LanguageModelV3FunctionTool[] = definitions.filter(({ name }) =>
  subAgentTools.includes(name),
)

/** The input with the schema's defaults, or its errors; undefined if there is no such tool. */
export function parseToolInput(toolName: string, input: unknown): CheckedInput | undefined {
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

/** True for a call whose effects must not happen twice. */
export function runsAtMostOnce(toolName: string, input?: unknown): boolean {
  const mayRepeat = tools[toolName]?.mayRepeat
  return !(typeof mayRepeat === 'function' ? mayRepeat(input) : mayRepeat === true)
}
