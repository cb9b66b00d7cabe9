import type { BashInput } from '../../domain/tools.ts'
import type { ExecResult, Sandbox } from '../../providers/sandbox/index.ts'
import type { ToolContext } from './index.ts'

const timeoutMs = 120_000
const outputLimit = 50_000
const detachedWatchMs = 2000

const outputOf = ({ exitCode, output, truncated, timedOut, diskFull }: ExecResult) => {
  const stderr = timedOut
    ? `The command was ended after ${timeoutMs / 1000} seconds`
    : diskFull === true
      ? "The command was ended: it passed the sandbox's disk space"
      : ''
  return {
    success: exitCode === 0,
    exitCode,
    stdout: output.slice(0, outputLimit),
    stderr,
    ...((truncated || output.length > outputLimit) && { truncated: true }),
  }
}

const startInBackground = async (sandbox: Sandbox, { command, cwd }: BashInput, { signal }: ToolContext) => {
  if (sandbox.execDetached === undefined)
    return { success: false, error: 'This sandbox cannot run commands in the background' }
  const options = { ...(cwd !== undefined && { cwd }), signal, watchMs: detachedWatchMs }
  const { id, exitCode, output, logPath } = await sandbox.execDetached(command, options)
  const success = exitCode === null || exitCode === 0
  const stdout = exitCode === null ? `Started ${id}; its output goes to ${logPath}\n${output}` : output
  return { success, exitCode, stdout: stdout.slice(0, outputLimit), stderr: '' }
}

export const bash = async (sandbox: Sandbox, input: BashInput, ctx: ToolContext): Promise<object> => {
  if (input.detached === true) return startInBackground(sandbox, input, ctx)
  const { signal, receipt } = ctx
  const result = await sandbox.exec(input.command, {
    ...(input.cwd !== undefined && { cwd: input.cwd }),
    timeoutMs,
    // A character may be four bytes; what is over is cut by characters.
    maxOutputBytes: outputLimit * 4,
    signal,
    receipt,
  })
  return outputOf(result)
}

/** The output of a command that had finished before its worker was lost. */
export const recallBash = async (sandbox: Sandbox, receipt: string): Promise<object | undefined> => {
  const result = await sandbox.findReceipt(receipt)
  return result === undefined ? undefined : outputOf(result)
}
