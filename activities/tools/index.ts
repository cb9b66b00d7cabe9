import type { BashInput, ReadInput, TodoInput, WriteInput } from '../../domain/tools.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { bash, recallBash } from './bash.ts'
import type { ToolContext } from './context.ts'
import { read, write } from './files.ts'

const todo = ({ todos }: TodoInput): object => ({
  success: true,
  message: todos.length === 0 ? 'The list is empty' : `The list has ${todos.length} items`,
  todos,
})

/**
 * Runs one tool. The input has passed the tool's schema. A failure of the tool is an output `{success: false, error}`;
 * an exception means that the sandbox failed and trying again may help.
 */
export const runTool = async (name: string, sandbox: Sandbox, input: unknown, ctx: ToolContext): Promise<object> => {
  switch (name) {
    case 'bash':
      return bash(sandbox, input as BashInput, ctx)
    case 'read':
      return read(sandbox, input as ReadInput, ctx)
    case 'write':
      return write(sandbox, input as WriteInput, ctx)
    case 'todo':
      return todo(input as TodoInput)
    default:
      throw new Error(`no tool ${name} runs in the sandbox`)
  }
}

/** The result that an earlier attempt left behind; undefined when its outcome is unknown. */
export const recallTool = async (name: string, sandbox: Sandbox, receipt: string): Promise<object | undefined> =>
  name === 'bash' ? recallBash(sandbox, receipt) : undefined
