import { execFileSync, spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { bareEnvironment, searchEnvironment } from '../../providers/bare-environment.ts'
import { isRoot } from '../../providers/sandbox/local/host.ts'

/** Identifies a process. Process ids are reused, but not together with the start time. */
export type ProcessMark = { pid: number; started: string }

/** Returns the mark of a running process; undefined if it does not run or is a zombie. */
export function readProcessMark(pid: number): ProcessMark | undefined {
  if (process.platform !== 'linux') {
    const started = psField(pid, 'lstart')
    return started ? { pid, started } : undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const started = fields[18]
    return state === 'Z' || state === 'X' || started === undefined ? undefined : { pid, started }
  } catch {
    return undefined
  }
}

export function isRunning(mark: ProcessMark): boolean {
  return readProcessMark(mark.pid)?.started === mark.started
}

/** Returns the command line with arguments joined by spaces; empty if the process does not exist. */
export function readCommandLine(pid: number): string {
  if (process.platform !== 'linux') return psField(pid, 'args') ?? ''
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

/** Polls until the check returns a value other than undefined and false, and returns it; undefined after the deadline. */
export async function waitFor<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs: number,
  intervalMs = 25,
): Promise<T | undefined> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const result = await check()
    if (result !== undefined && result !== false) return result
    if (Date.now() >= end) return undefined
    await pause(intervalMs)
  }
}

export type StopStep = { signal: NodeJS.Signals; waitMs: number }

/** Sends the signal of each step and waits up to its `waitMs`, then sends SIGKILL to the process and its process group. */
export async function stopProcess(mark: ProcessMark, steps: StopStep[]): Promise<void> {
  for (const step of steps) {
    if (!isRunning(mark)) break
    signal(mark.pid, step.signal)
    if (await waitFor(() => !isRunning(mark), step.waitMs)) break
  }
  signal(-mark.pid, 'SIGKILL')
  if (isRunning(mark)) signal(mark.pid, 'SIGKILL')
  await waitFor(() => !isRunning(mark), 5000)
}

let deathSignals: boolean | undefined

export type LaunchOptions = {
  command: string[]
  /** The complete environment. */
  env: NodeJS.ProcessEnv
  cwd?: string
  stdio: StdioOptions
  /** Signal that the kernel sends to the process when the current process is killed. Linux only. */
  deathSignal: 'INT' | 'TERM'
  stopSteps: StopStep[]
  /** Start of the command line, which executes the rest, for example as another user. */
  prefix?: string[]
}

export type LaunchedProcess = ProcessMark & {
  /** Resolves when the process ends, with the cause: `exit code 1`, `signal SIGKILL`. */
  exited: Promise<string>
  stop(): Promise<void>
  child: ReturnType<typeof spawn>
}

/**
 * Starts a process in its own process group, so that Ctrl-C reaches only the current process, which then stops its
 * children in order.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedProcess> {
  // `setpriv` is innermost, because a change of user or namespace clears the death signal.
  const guard = canSetDeathSignal() ? ['setpriv', '--pdeathsig', options.deathSignal] : []
  const [file = '', ...args] = [...(options.prefix ?? []), ...guard, ...options.command]
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: options.stdio,
    detached: true,
  })
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, name) => resolve(name ? `signal ${name}` : `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const pid = child.pid
  if (pid === undefined) throw new Error(`${options.command[0]} does not start: ${await exited}`)
  const mark = readProcessMark(pid) ?? { pid, started: '' }
  return { ...mark, child, exited, stop: () => stopProcess(mark, options.stopSteps) }
}

/** Returns the start of a command line that drops all capabilities of root but keeps access to root's files. */
export function dropCapabilities(): string[] {
  return isRoot() && canSetDeathSignal()
    ? ['setpriv', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--']
    : []
}

function psField(pid: number, field: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], {
      encoding: 'utf8',
      env: bareEnvironment,
      stdio: 'pipe',
    }).trim()
  } catch {
    return undefined
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already exited.
  }
}

function canSetDeathSignal(): boolean {
  return (deathSignals ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { env: searchEnvironment, stdio: 'ignore' }).status === 0)
}
