import type {
  BashInput,
  FetchInput,
  GlobInput,
  GrepInput,
  ReadInput,
  SkillInput,
  TodoInput,
  WriteInput,
} from '../../domain/tools/tools.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { bash, recallBash } from './bash.ts'
import type { ToolContext } from './context.ts'
import { fetchUrl, type FetchContext } from './fetch.ts'
import { read, write } from './files.ts'
import { grep } from './grep.ts'
import { glob } from './search.ts'
import { skill } from './skill.ts'

/**
 * Runs one tool. The input has passed the tool's schema. A failure of the tool is returned as `{success: false,
 * error}`; an exception means that the sandbox failed and a retry may help.
 */
export async function runTool(name: string, sandbox: Sandbox, input: unknown, ctx: ToolContext): Promise<object> {
  switch (name) {
    case 'bash':
      return bash(sandbox, input as BashInput, ctx)
    case 'read':
      return read(sandbox, input as ReadInput, ctx)
    case 'write':
      return write(sandbox, input as WriteInput, ctx)
    case 'grep':
      return grep(sandbox, input as GrepInput, ctx)
    case 'glob':
      return glob(sandbox, input as GlobInput, ctx)
    case 'skill':
      return skill(sandbox, input as SkillInput, ctx)
    default:
      throw new Error(`no tool ${name} runs in the sandbox`)
  }
}

/** True for a tool that runs in the worker. */
export function runsWithoutSandbox(name: string): boolean {
  return name === 'fetch' || name === 'todo'
}

/** Runs one tool that needs no sandbox, with the same errors as `runTool`. */
export async function runOutside(name: string, input: unknown, ctx: FetchContext): Promise<object> {
  return name === 'todo' ? todo(input as TodoInput) : fetchUrl(input as FetchInput, ctx)
}

/** Returns the result of an earlier attempt; undefined when its outcome is unknown. */
export async function recallTool(name: string, sandbox: Sandbox, receipt: string): Promise<object | undefined> {
  return name === 'bash' ? recallBash(sandbox, receipt) : undefined
}

function todo({ todos }: TodoInput): object {
  return {
    success: true,
    message: todos.length === 0 ? 'The list is empty' : `The list has ${todos.length} items`,
    todos,
  }
}
