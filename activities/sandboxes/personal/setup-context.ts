import { Context } from '@temporalio/activity'
import { findAccountSandbox, insertAccountSandbox, updateAccountSandbox } from '../../../db/sandboxes/personal.ts'
import type { AccountSandboxStatus } from '../../../db/sandboxes/personal.ts'
import { findAuthor } from '../../../db/sandboxes/sandboxes.ts'
import { personalSandboxName } from '../../../domain/sandboxes/personal.ts'
import type { Sandbox } from '../../../providers/sandbox/index.ts'
import type { ActivityDeps } from '../../deps.ts'

export type SetupDeps = Pick<ActivityDeps, 'db' | 'codeHost' | 'sandboxes' | 'platform' | 'log'>

/** What the steps of one setup share. */
export type Setup = SetupDeps & {
  runId: string
  accountId: string
  sandboxName: string
}

export const setupOf = (deps: SetupDeps, runId: string, accountId: string): Setup => ({
  ...deps,
  runId,
  accountId,
  sandboxName: personalSandboxName(runId),
})

/** Longer than a setup may take: the sandbox never ends before it. */
const sandboxMs = 20 * 60 * 1000

export const recordSandbox = ({ db, accountId, sandboxName, sandboxes }: Setup): Promise<void> =>
  insertAccountSandbox(db, {
    id: sandboxName,
    accountId,
    state: { type: sandboxes.type, sandboxName },
    timeoutMs: sandboxMs,
  })

export const markSandbox = ({ db, sandboxName }: Setup, status: AccountSandboxStatus, sandbox?: Sandbox) =>
  updateAccountSandbox(db, sandboxName, { status, ...(sandbox !== undefined && { state: sandbox.state }) })

/** Whose name the setup's commit carries. */
const gitIdentity = async ({ db, accountId, platform }: Setup) => {
  const { name, email } = await findAuthor(db, accountId)
  const host = new URL(platform.baseUrl).hostname
  return { name: name?.trim() || accountId.slice(0, 8), email: email ?? `${accountId}@users.noreply.${host}` }
}

/** Makes the setup's sandbox, or resumes it when it is there. */
export const createSandbox = async (setup: Setup, snapshotId?: string): Promise<Sandbox> =>
  setup.sandboxes.create({
    name: setup.sandboxName,
    timeoutMs: sandboxMs,
    gitIdentity: await gitIdentity(setup),
    ...(snapshotId !== undefined && { snapshotId }),
  })

export const openSandbox = async ({ db, sandboxes, sandboxName }: Setup): Promise<Sandbox> => {
  const known = await findAccountSandbox(db, sandboxName)
  if (known === undefined) throw new Error('the sandbox of the setup is gone')
  return sandboxes.open(known.state)
}

const programMs = 240_000
const maxOutput = 64 * 1024

type Ran = { exitCode: number | null; output: string }

const environment = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`SETUP_${name}`, value]))

/** Runs a program inside the sandbox. Values reach it as variables `SETUP_<name>` and never as program text. */
export const attemptProgram = async (
  sandbox: Sandbox,
  program: string,
  { values = {}, stdin }: { values?: Record<string, string>; stdin?: AsyncIterable<Uint8Array> } = {},
): Promise<Ran> => {
  const { exitCode, output } = await sandbox.exec(program, {
    timeoutMs: programMs,
    maxOutputBytes: maxOutput,
    env: environment(values),
    signal: Context.current().cancellationSignal,
    ...(stdin !== undefined && { stdin }),
  })
  return { exitCode, output: output.trim() }
}

/** The same, for a program that has to succeed. */
export const runProgram = async (...args: Parameters<typeof attemptProgram>): Promise<string> => {
  const { exitCode, output } = await attemptProgram(...args)
  if (exitCode !== 0) throw new Error(`a program of the setup failed: ${output.slice(-500)}`)
  return output
}

/** A sandbox may come without git: then the repository is written to from outside. */
export const hasGit = async (sandbox: Sandbox): Promise<boolean> =>
  (await attemptProgram(sandbox, 'git --version')).exitCode === 0
