import type { z } from 'zod'
import { Brief, BriefInput, prepareBrief } from './brief.ts'
import { describeIssue } from '../../fields/issues.ts'
import { SiteError, type Issue } from '../errors.ts'
import { ReadInput, ReadResult, SearchInput, SearchResult, type PublicContent } from '../public-content.ts'
import { assessReadiness, Readiness, ReadinessInput } from './readiness.ts'
import { estimateRoi, RoiEstimate, RoiInput } from './roi.ts'

type Tool = {
  title: string
  description: string
  input: z.ZodObject
  output: z.ZodObject
  run: (content: PublicContent, input: object) => object
}

/** Names, descriptions and schemas of the tools, for all interfaces. */
export const tools = {
  search_service: {
    title: 'Search public content',
    description:
      'Search the public website, guides, API reference, blog and playbooks. Returns ranked results with a matching passage. Reads no account data.',
    input: SearchInput,
    output: SearchResult,
    run: (content, input) => content.search(input),
  },
  read_service_page: {
    title: 'Read a public page',
    description: 'Read one public document by the id a search returned, in parts. Does not open other addresses.',
    input: ReadInput,
    output: ReadResult,
    run: (content, input) => content.read(input),
  },
  estimate_workflow_roi: {
    title: 'Estimate workflow return',
    description: 'Calculate a savings scenario from five numbers the caller supplies. Not a quote and not a forecast.',
    input: RoiInput,
    output: RoiEstimate,
    run: (_, input) => estimateRoi(parseArguments(RoiInput, input)),
  },
  assess_workflow_readiness: {
    title: 'Assess workflow readiness',
    description: 'Turn seven answers about a recurring task into one recommended next step. Gives no score.',
    input: ReadinessInput,
    output: Readiness,
    run: (_, input) => {
      const answers: unknown = Object.hasOwn(input, 'answers') ? (input as { answers: unknown }).answers : undefined
      if (isObject(answers)) rejectUnknown(ReadinessInput.shape.answers, answers, 'answers')
      return assessReadiness(parseArguments(ReadinessInput, input))
    },
  },
  prepare_project_brief: {
    title: 'Prepare a project brief',
    description: "Arrange the visitor's own words into a brief draft. Nothing is sent or saved.",
    input: BriefInput,
    output: Brief,
    run: (_, input) => prepareBrief(parseArguments(BriefInput, input)),
  },
} satisfies Record<string, Tool>
export type ToolName = keyof typeof tools

/** Runs the tool call `{name, arguments}` and returns its result. Throws for an invalid call or argument. */
export function runTool(content: PublicContent, body: unknown): object {
  if (!isObject(body)) throw new SiteError('INVALID_INPUT', [{ field: 'body', message: 'Send a JSON object.' }])
  const unknownKeys = Object.keys(body).filter((key) => key !== 'name' && key !== 'arguments')
  const members = new Map<string, unknown>(Object.entries(body))
  const name = members.get('name')
  const input = members.get('arguments')
  const issues = [
    ...unknownKeys.map((key) => ({ field: `body.${key}`, message: 'This field is not known.' })),
    ...(typeof name === 'string' ? [] : [{ field: 'name', message: 'Send the name of a tool as text.' }]),
    ...(isObject(input) ? [] : [{ field: 'arguments', message: 'Send the arguments as a JSON object.' }]),
  ]
  if (issues.length > 0 || typeof name !== 'string' || !isObject(input))
    throw new SiteError('INVALID_INPUT', issues.slice(0, 20))
  const tool = findTool(name)
  if (tool === undefined) throw new SiteError('UNKNOWN_TOOL', ['name'])
  rejectUnknown(tool.input, input, 'input')
  return tool.run(content, input)
}

/** Returns the tool name in `{name, arguments}`, even if the arguments are invalid. */
export function readToolName(body: unknown): ToolName | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'name')) return undefined
  const { name } = body as { name: unknown }
  return typeof name === 'string' && isToolName(name) ? name : undefined
}

/** Validates the arguments of a calculator. Throws an error with all invalid fields, in schema order. */
function parseArguments<S extends z.ZodObject>(schema: S, input: object): z.output<S> {
  const parsed = schema.safeParse(input, { error: describeIssue })
  if (parsed.success) return parsed.data
  // Reports only the first violated rule of each field.
  const issues = new Map<string, Issue>()
  for (const { path, message } of parsed.error.issues) {
    const field = path.join('.')
    if (!issues.has(field)) issues.set(field, { field, message: `This field ${message}.` })
  }
  throw new SiteError('INVALID_INPUT', [...issues.values()].slice(0, 20))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function rejectUnknown(schema: z.ZodObject, input: object, prefix: string): void {
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(schema.shape, key))
  if (unknown.length > 0)
    throw new SiteError(
      'INVALID_INPUT',
      unknown.slice(0, 20).map((key) => ({ field: `${prefix}.${key}`, message: 'This field is not known.' })),
    )
}

function findTool(name: string): Tool | undefined {
  return isToolName(name) ? tools[name] : undefined
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name)
}
