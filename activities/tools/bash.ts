import { z } from 'zod'
import type { ExecResult, Sandbox } from '../../providers/sandbox/index.ts'
import { defineTool, type SandboxContext } from './define.ts'
import { cutText } from './output/cut.ts'

const timeoutMs = 120_000
const maxOutputCharacters = 50_000
/** Output beyond this size ends the command. Output of up to this size is cut to `maxOutputCharacters` characters. */
const maxOutputBytes = 4_000_000
const detachedWatchMs = 2000

const input = z.object({
  command: z.string().min(1).describe('Command line for bash'),
  cwd: z.string().optional().describe('Folder to run in, relative to the working directory'),
  detached: z.boolean().optional().describe('Start the command in the background and return immediately'),
})

type Input = z.output<typeof input>

export const bash = defineTool({
  name: 'bash',
  description: 'Runs a command in the sandbox with bash, without a terminal, for at most 120 seconds.',
  input,
  offeredTo: () => true,
  runsIn: 'sandbox',
  mayRepeat: false,
  changesFiles: true,
  run: (input, ctx, sandbox) => (input.detached === true ? startInBackground : execute)(input, ctx, sandbox),
  recall: async (sandbox, receipt) => {
    const result = await sandbox.findReceipt(receipt)
    return result === undefined ? undefined : toOutput(result)
  },
})

async function execute({ command, cwd }: Input, ctx: SandboxContext, sandbox: Sandbox) {
  const { signal, receipt, environment: env, network } = ctx
  const result = await sandbox.exec(command, {
    ...(cwd !== undefined && { cwd }),
    env,
    timeoutMs,
    maxOutputBytes,
    signal,
    receipt,
    ...(network && { network }),
  })
  return toOutput(result)
}

async function startInBackground({ command, cwd }: Input, ctx: SandboxContext, sandbox: Sandbox) {
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
  return { success, exitCode, stdout: cutText(stdout, maxOutputCharacters), stderr: '' }
}

function toOutput(result: ExecResult) {
  const stdout = cutText(result.output, maxOutputCharacters)
  return {
    success: result.exitCode === 0,
    exitCode: result.exitCode,
    stdout,
    stderr: describeInterruption(result),
    ...((result.truncated || stdout.length < result.output.length) && { truncated: true }),
  }
}

function describeInterruption({ exitCode, truncated, timedOut, diskFull }: ExecResult): string {
  if (timedOut) return `The command was ended after ${timeoutMs / 1000} seconds`
  if (diskFull === true) return "The command was ended: it exceeded the sandbox's disk space"
  if (truncated && exitCode === null) return `The command was ended: it wrote more than ${maxOutputBytes} bytes`
  return ''
}
