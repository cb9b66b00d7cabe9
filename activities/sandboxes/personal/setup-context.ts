import { Context } from '@temporalio/activity'
import {
  findAccountSandbox,
  insertAccountSandbox,
  updateAccountSandbox,
  type AccountSandboxStatus,
} from '../../../db/sandboxes/personal.ts'
import { personalSandboxName } from '../../../domain/sandboxes/personal.ts'
import type { Sandbox, SandboxPort } from '../../../providers/sandbox/index.ts'
import { resolveAuthor } from '../../repositories/author.ts'
import type { HostDeps, PlatformDeps } from '../../deps.ts'

export type SetupDeps = PlatformDeps & HostDeps & { sandboxes: SandboxPort }

/** Dependencies of a setup step, and the ids of its setup. */
export type Setup = SetupDeps & {
  runId: string
  accountId: string
  sandboxName: string
}

export function createSetup(deps: SetupDeps, runId: string, accountId: string): Setup {
  return {
    ...deps,
    runId,
    accountId,
    sandboxName: personalSandboxName(runId),
  }
}

/** Lifetime of the sandbox, which exceeds the time limit of a setup. */
const sandboxTimeoutMs = 20 * 60 * 1000

export function insertSetupSandbox({ db, accountId, sandboxName, sandboxes }: Setup): Promise<void> {
  return insertAccountSandbox(db, {
    id: sandboxName,
    accountId,
    state: { type: sandboxes.type, sandboxName },
    timeoutMs: sandboxTimeoutMs,
  })
}

export function updateSetupSandbox({ db, sandboxName }: Setup, status: AccountSandboxStatus, sandbox?: Sandbox) {
  return updateAccountSandbox(db, sandboxName, { status, ...(sandbox !== undefined && { state: sandbox.state }) })
}

/** Creates the sandbox of the setup, or resumes it if it exists. */
export async function createSandbox(setup: Setup, snapshotId?: string): Promise<Sandbox> {
  return setup.sandboxes.create({
    name: setup.sandboxName,
    timeoutMs: sandboxTimeoutMs,
    gitIdentity: await resolveAuthor(setup, setup.accountId, setup.platform.baseUrl),
    ...(snapshotId !== undefined && { snapshotId }),
  })
}

export async function openSandbox({ db, sandboxes, sandboxName }: Setup): Promise<Sandbox> {
  const accountSandbox = await findAccountSandbox(db, sandboxName)
  if (accountSandbox === undefined) throw new Error('the sandbox of the setup no longer exists')
  return sandboxes.open(accountSandbox.state)
}

const programTimeoutMs = 240_000
const maxOutputBytes = 64 * 1024

type ProgramResult = { exitCode: number | null; output: string }

/**
 * Runs a shell program in the sandbox and returns its exit code and output. Each entry of `values` becomes the environment
 * variable `SETUP_<name>`, because a value in the program text could be executed as code.
 */
export async function attemptProgram(
  sandbox: Sandbox,
  program: string,
  { values = {}, stdin }: { values?: Record<string, string>; stdin?: AsyncIterable<Uint8Array> } = {},
): Promise<ProgramResult> {
  const { exitCode, output } = await sandbox.exec(program, {
    timeoutMs: programTimeoutMs,
    maxOutputBytes,
    env: setupVariables(values),
    signal: Context.current().cancellationSignal,
    ...(stdin !== undefined && { stdin }),
  })
  return { exitCode, output: output.trim() }
}

/** Runs a shell program like `attemptProgram` and returns its output. Throws when the program fails. */
export async function runProgram(...args: Parameters<typeof attemptProgram>): Promise<string> {
  const { exitCode, output } = await attemptProgram(...args)
  if (exitCode !== 0) throw new Error(`a setup program failed: ${output.slice(-500)}`)
  return output
}

/** True if the sandbox has git. Without git, the setup writes the repository through the code host. */
export async function hasGit(sandbox: Sandbox): Promise<boolean> {
  return (await attemptProgram(sandbox, 'git --version')).exitCode === 0
}

function setupVariables(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`SETUP_${name}`, value]))
}
