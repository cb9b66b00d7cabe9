import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const agent = fileURLToPath(new URL('./machine-agent.mjs', import.meta.url))

type Event = { id?: string; event: 'ready' | 'stdout' | 'stderr' | 'end'; data?: string; exitCode?: number }

type Program = { file: string; args: string[]; cwd?: string; env?: Record<string, string>; input?: Buffer }
type Listener = {
  onStdout?: (bytes: Buffer) => void
  onStderr?: (bytes: Buffer) => void
}

/** Simulates a vendor's virtual machine with namespaces that run an agent, and with a persistent disk. */
export type TestMachine = {
  boot(): Promise<void>
  readonly running: boolean
  /** Runs a program and returns its exit code, or undefined if the machine stops first. */
  start(program: Program, listener?: Listener): Promise<number | undefined>
  /** Ends every process and keeps the disk. */
  halt(): Promise<void>
}

export type Layout = { disk: string; home: string; workspace: string }

const visiblePaths = ['/bin', '/sbin', '/lib', '/lib64']

const buildBwrapArguments = ({ disk, home, workspace }: Layout): string[] =>
  [
    ['--unshare-user', '--unshare-pid', '--uid', '1000', '--gid', '1000', '--die-with-parent', '--clearenv'],
    ['--ro-bind', '/usr', '/usr', ...visiblePaths.flatMap((path) => ['--ro-bind-try', path, path])],
    ['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
    ['--ro-bind', dirname(dirname(process.execPath)), '/opt/node', '--ro-bind', agent, '/agent.mjs'],
    ['--proc', '/proc', '--dev', '/dev', '--bind', join(disk, 'tmp'), '/tmp'],
    ['--bind', join(disk, 'home'), home, '--bind', join(disk, 'workspace'), workspace],
    ['--setenv', 'PATH', '/opt/node/bin:/usr/local/bin:/usr/bin:/bin', '--setenv', 'HOME', home],
    ['--chdir', workspace, '/opt/node/bin/node', '/agent.mjs'],
  ].flat()

/** Creates an empty disk or a copy of another disk with its modes and links. */
export const createDisk = async (disk: string, from?: string): Promise<void> => {
  if (from !== undefined) await run('cp', ['-a', from, disk])
  for (const part of ['home', 'workspace', 'tmp']) await mkdir(join(disk, part), { recursive: true })
}

export const createMachine = (layout: Layout): TestMachine => {
  let child: ChildProcessWithoutNullStreams | undefined
  const listeners = new Map<string, Listener & { end: (code: number | undefined) => void }>()

  const handleEvent = ({ id = '', event, data = '', exitCode }: Event): void => {
    const listener = listeners.get(id)
    if (event === 'stdout') listener?.onStdout?.(Buffer.from(data, 'base64'))
    else if (event === 'stderr') listener?.onStderr?.(Buffer.from(data, 'base64'))
    else if (event === 'end') listener?.end(exitCode)
    if (event === 'end') listeners.delete(id)
  }

  return {
    get running() {
      return child !== undefined
    },
    boot: async () => {
      const bwrap = spawn('bwrap', buildBwrapArguments(layout), { stdio: 'pipe' })
      bwrap.stdin.on('error', () => {})
      let errorOutput = ''
      bwrap.stderr.on('data', (data) => (errorOutput += String(data)))
      const lines = createInterface({ input: bwrap.stdout })
      const closed = once(bwrap, 'close').then(() => {
        if (child === bwrap) child = undefined
        for (const { end } of listeners.values()) end(undefined)
        listeners.clear()
        return [JSON.stringify({ event: 'end' })]
      })
      const [first] = (await Promise.race([once(lines, 'line'), closed])) as [string]
      if ((JSON.parse(first) as Event).event !== 'ready') throw new Error(`the machine did not boot: ${errorOutput}`)
      child = bwrap
      lines.on('line', (line) => handleEvent(JSON.parse(line) as Event))
    },
    start: ({ input, ...program }, listener = {}) => {
      const id = randomBytes(6).toString('hex')
      const exit = new Promise<number | undefined>((resolve) => {
        if (child === undefined) resolve(undefined)
        else listeners.set(id, { ...listener, end: resolve })
      })
      child?.stdin.write(`${JSON.stringify({ id, ...program, ...(input && { input: input.toString('base64') }) })}\n`)
      return exit
    },
    halt: async () => {
      const stoppedChild = child
      child = undefined
      if (stoppedChild === undefined) return
      stoppedChild.kill('SIGKILL')
      if (stoppedChild.exitCode === null && stoppedChild.signalCode === null) await once(stoppedChild, 'close')
    },
  }
}

export const removeDisk = (disk: string): Promise<void> => rm(disk, { recursive: true, force: true, maxRetries: 3 })
