import { Context } from '@temporalio/activity'
import {
  findAccountSandbox,
  insertAccountSandbox,
  updateAccountSandbox,
  type AccountSandboxStatus,
} from '../../../db/sandboxes/personal.ts'
import { personalSandboxName } from '../../../domain/sandboxes/personal.ts'
import type { Sandbox } from '../../../providers/sandbox/index.ts'
import type { ActivityDeps } from '../../deps.ts'
import { resolveAuthor } from '../../repositories/author.ts'

export type SetupDeps = Pick<ActivityDeps, 'db' | 'codeHost' | 'sandboxes' | 'platform' | 'log'>

/** State that the steps of one setup share. */
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

/** Longer than the time limit of a setup, so that the sandbox never ends before it. */
const sandboxMs = 20 * 60 * 1000

export function recordSandbox({ db, accountId, sandboxName, sandboxes }: Setup): Promise<void> {
  return insertAccountSandbox(db, {
    id: sandboxName,
    accountId,
    state: { type: sandboxes.type, sandboxName },
    timeoutMs: sandboxMs,
  })
}

export function markSandbox({ db, sandboxName }: Setup, status: AccountSandboxStatus, sandbox?: Sandbox) {
  return updateAccountSandbox(db, sandboxName, { status, ...(sandbox !== undefined && { state: sandbox.state }) })
}

/** Creates the setup's sandbox, or resumes it if it exists. */
export async function createSandbox(setup: Setup, snapshotId?: string): Promise<Sandbox> {
  return setup.sandboxes.create({
    name: setup.sandboxName,
    timeoutMs: sandboxMs,
    gitIdentity: await resolveAuthor(setup, setup.accountId, setup.platform.baseUrl),
    ...(snapshotId !== undefined && { snapshotId }),
  })
}

export async function openSandbox({ db, sandboxes, sandboxName }: Setup): Promise<Sandbox> {
  const known = await findAccountSandbox(db, sandboxName)
  if (known === undefined) throw new Error('the sandbox of the setup is gone')
  return sandboxes.open(known.state)
}

const programMs = 240_000
const maxOutput = 64 * 1024

type Ran = { exitCode: number | null; output: string }

/** Runs a program inside the sandbox. Values are passed as variables `SETUP_<name>`, never as program text. */
export async function attemptProgram(
  sandbox: Sandbox,
  program: string,
  { values = {}, stdin }: { values?: Record<string, string>; stdin?: AsyncIterable<Uint8Array> } = {},
): Promise<Ran> {
  const { exitCode, output } = await sandbox.exec(program, {
    timeoutMs: programMs,
    maxOutputBytes: maxOutput,
    env: environment(values),
    signal: Context.current().cancellationSignal,
    ...(stdin !== undefined && { stdin }),
  })
  return { exitCode, output: output.trim() }
}

/** Like `attemptProgram`, but throws when the program fails. */
export async function runProgram(...args: Parameters<typeof attemptProgram>): Promise<string> {
  const { exitCode, output } = await attemptProgram(...args)
  if (exitCode !== 0) throw new Error(`a program of the setup failed: ${output.slice(-500)}`)
  return output
}

/** A sandbox may have no git. Then the repository is written through the code host. */
export async function hasGit(sandbox: Sandbox): Promise<boolean> {
  return (await attemptProgram(sandbox, 'git --version')).exitCode === 0
}

function environment(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`SETUP_${name}`, value]))
}
