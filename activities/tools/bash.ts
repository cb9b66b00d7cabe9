import type { BashInput } from '../../domain/tools/tools.ts'
import type { ExecResult, Sandbox } from '../../providers/sandbox/index.ts'
import { cutText } from './cut.ts'
import type { ToolContext } from './context.ts'

const timeoutMs = 120_000
const outputLimit = 50_000
/** A command with much output continues and its output is cut. A command whose output does not end is killed. */
const maxOutputBytes = 4_000_000
const detachedWatchMs = 2000

export async function bash(sandbox: Sandbox, input: BashInput, ctx: ToolContext): Promise<object> {
  if (input.detached === true) return startInBackground(sandbox, input, ctx)
  const { signal, receipt, environment: env, network } = ctx
  const result = await sandbox.exec(input.command, {
    ...(input.cwd !== undefined && { cwd: input.cwd }),
    env,
    timeoutMs,
    maxOutputBytes,
    signal,
    receipt,
    ...(network && { network }),
  })
  return toOutput(result)
}

/** Returns the output of a command that had finished before its worker was lost. */
export async function recallBash(sandbox: Sandbox, receipt: string): Promise<object | undefined> {
  const result = await sandbox.findReceipt(receipt)
  return result === undefined ? undefined : toOutput(result)
}

async function startInBackground(sandbox: Sandbox, { command, cwd }: BashInput, ctx: ToolContext) {
  if (sandbox.execDetached === undefined)
    return { success: false, error: 'This sandbox cannot run commands in the background' }
  const { signal, environment: env, network } = ctx
  const options = {
    ...(cwd !== undefined && { cwd }),
    env,
    signal,
    ...(network && { network }),
    watchMs: detachedWatchMs,
  }
  const { id, exitCode, output, logPath } = await sandbox.execDetached(command, options)
  const success = exitCode === null || exitCode === 0
  const stdout = exitCode === null ? `Started ${id}; its output goes to ${logPath}\n${output}` : output
  return { success, exitCode, stdout: cutText(stdout, outputLimit), stderr: '' }
}

function toOutput(result: ExecResult) {
  const stdout = cutText(result.output, outputLimit)
  return {
    success: result.exitCode === 0,
    exitCode: result.exitCode,
    stdout,
    stderr: interruption(result),
    ...((result.truncated || stdout.length < result.output.length) && { truncated: true }),
  }
}

function interruption({ exitCode, truncated, timedOut, diskFull }: ExecResult): string {
  if (timedOut) return `The command was ended after ${timeoutMs / 1000} seconds`
  if (diskFull === true) return "The command was ended: it passed the sandbox's disk space"
  if (truncated && exitCode === null) return `The command was ended: it wrote more than ${maxOutputBytes} bytes`
  return ''
}
