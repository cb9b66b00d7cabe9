import { execFile, spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { isRoot } from '../../providers/sandbox/local/host.ts'
import { createLocalSandboxes } from '../../providers/sandbox/local/local.ts'
import type { Sandbox, SandboxPort } from '../../providers/sandbox/index.ts'
import {
  measureDifference,
  compare,
  quantile,
  measureRatio,
  describeMedians,
  measureMs,
  measurePerCall,
  measureSpread,
  type Bench,
  type Row,
} from '../measure.ts'

const run = promisify(execFile)
const limits = { timeoutMs: 60_000, maxOutputBytes: 100_000 }
const options = { timeoutMs: 3_600_000, gitIdentity: { name: 'bench', email: 'bench@localhost' } }

const files = 1000
const createTreeCommand = `mkdir -p tree; for i in {1..${files}}; do head -c 4096 /dev/urandom > tree/file$i; done`

/** Measures the cost of isolation with the local driver that works on this machine. */
export const sandbox: Bench = {
  name: 'sandbox',
  run: async (_, { quick }) => {
    const root = await mkdtemp(join(tmpdir(), 'backline-bench-sandbox-'))
    try {
      const port = await createLocalSandboxes({
        root: join(root, 'sandboxes'),
        provider: 'auto',
        log: pino({ level: 'silent' }),
      })
      const alone = await port.create({ ...options, name: 'alone' })
      const rows = [...(await measureExec(alone, quick)), ...(await measureRead(alone, quick))]
      await alone.destroy()
      return [...rows, ...(await measureSnapshots(port, root, quick)), ...(await measureCrowd(port, quick))]
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
}

/** Returns a function that compares `ours` with a control. */
function createComparison(ours: () => Promise<unknown>, quick: boolean) {
  const calls = quick ? 10 : 50
  return (control: () => Promise<unknown>) =>
    compare({
      rounds: quick ? 3 : 9,
      ours: () => measurePerCall(calls, ours),
      control: () => measurePerCall(calls, control),
    })
}

async function measureExec(sandbox: Sandbox, quick: boolean): Promise<Row[]> {
  const compareTo = createComparison(() => sandbox.exec('true', limits), quick)
  const toBare = await compareTo(() => runBare('true'))
  const toBubblewrap = await compareTo(() => runBareBubblewrap('true'))
  const toPrograms = await compareTo(() => runBubblewrapBehindPrograms(toBashCommand('true')))
  return [
    {
      name: 'a command in a sandbox',
      unit: 'ms',
      ...measureDifference(toBare),
      aim: { atMost: 15 },
      how: 'exec of `true` minus a bare child process that runs it, alternated',
      detail: describeMedians(toBare, 'bare'),
    },
    {
      name: 'a command in a sandbox: relative to bare bubblewrap',
      unit: 'x',
      ...measureRatio(toBubblewrap),
      how: 'relative to bubblewrap with the same namespaces and mounts, but without limits, network, system call filter, output or supervision',
      detail: describeMedians(toBubblewrap, 'bare bubblewrap'),
    },
    {
      name: 'a command in a sandbox: relative to bubblewrap behind the same programs',
      unit: 'x',
      ...measureRatio(toPrograms),
      how: behindPrograms,
      detail: describeMedians(toPrograms, 'behind programs'),
    },
  ]
}

/** Measures a file read in a sandbox, which is a read-only tool call without the cost of Temporal and the log. */
async function measureRead(sandbox: Sandbox, quick: boolean): Promise<Row[]> {
  const maxBytes = 20 * 1024 * 1024
  await sandbox.writeFiles([{ path: 'read', content: 'a line of some length\n'.repeat(100) }])
  const compareTo = createComparison(() => sandbox.readFile('read', { maxBytes }), quick)
  const toBare = await compareTo(() => runBare('head -c 2200 /bin/sh'))
  const reading = ['/bin/sh', '-c', 'exec head -c 2200 /bin/sh']
  const toPrograms = await compareTo(() => runBubblewrapBehindPrograms(reading))
  return [
    {
      name: 'a file read in a sandbox',
      unit: 'ms',
      ...measureDifference(toBare),
      aim: { atMost: 15 },
      how: 'reads 2,200 bytes; minus a bare child process that reads the same number of bytes from another file, alternated',
      detail: describeMedians(toBare, 'bare'),
    },
    {
      name: 'a file read in a sandbox: relative to bubblewrap behind the same programs',
      unit: 'x',
      ...measureRatio(toPrograms),
      how: `${behindPrograms}, which reads`,
      detail: describeMedians(toPrograms, 'behind programs'),
    },
  ]
}

const behindPrograms =
  'relative to the same bubblewrap started through the programs that start a sandbox: unshare and mount (for root), which expose the folder, a bash that sets limits, setpriv, which drops privileges, a shell with a pipe to cat, and a shell inside'

async function runBare(command: string): Promise<void> {
  const child = spawn('/bin/bash', ['-c', command], { stdio: 'ignore', env: {}, cwd: tmpdir() })
  await once(child, 'close')
}

const mounts = ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/dev/shm', '--tmpfs', '/tmp']
const namespaces = ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session']

function runBareBubblewrap(command: string): Promise<void> {
  return runBubblewrap([], ['/bin/bash', '-c', command])
}

/**
 * Programs that start a sandbox: they set limits, drop privileges and hold a pipe. As root, they also expose the folder,
 * which other users cannot traverse, in a mount for this execution.
 */
const programs = [
  isRoot() ? ['unshare', '--mount', '--propagation', 'private', '--'] : [],
  ['/bin/bash', '-c', `${isRoot() ? 'mount --bind /tmp /mnt; ' : ''}ulimit -c 0 -n 4096; exec "$@"`, 'bash'],
  ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL'],
  isRoot() ? ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--inh-caps=-all'] : [],
  ['sh', '-c', '"$@" < /dev/null | cat', 'sh'],
].flat()

function runBubblewrapBehindPrograms(inside: string[]): Promise<void> {
  return runBubblewrap(programs, inside)
}

/** Returns the command line that runs an agent's command inside the sandbox. */
function toBashCommand(command: string): string[] {
  return ['/bin/sh', '-c', 'exec /bin/bash -c "$1"', 'sh', command]
}

async function runBubblewrap(before: string[], inside: string[]): Promise<void> {
  const [file = '', ...args] = [...before, 'bwrap', ...namespaces, ...mounts, '--chdir', '/tmp', ...inside]
  const child = spawn(file, args, { stdio: 'ignore', env: { PATH: process.env['PATH'] }, cwd: '/' })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`bubblewrap ended with ${code}`)
}

async function measureSnapshots(port: SandboxPort, root: string, quick: boolean): Promise<Row[]> {
  const source = await port.create({ ...options, name: 'source' })
  await source.exec(createTreeCommand, limits)
  await run('bash', ['-c', `cd "$1"; ${createTreeCommand}`, 'bash', root])
  const tar = createBareTar(root, join(root, 'bare.tar.gz'))
  const rounds = quick ? 3 : 9
  const snapshotIds: string[] = []
  const restored: Sandbox[] = []
  const packing = await compare({
    rounds,
    ours: () => measureMs(async () => void snapshotIds.push((await source.snapshot()).snapshotId)),
    control: () => measureMs(tar.pack),
  })
  const snapshotId = snapshotIds[0] ?? ''
  const unpacking = await compare({
    rounds,
    ours: () =>
      measureMs(async () => {
        restored.push(await port.create({ ...options, name: `restored-${restored.length}`, snapshotId }))
      }),
    control: () => measureMs(tar.unpack),
  })
  for (const sandbox of [...restored, source]) await sandbox.destroy()
  for (const id of snapshotIds) await port.deleteSnapshot(id)
  const row = (name: string, measured: typeof packing): Row => ({
    name: `${name} of ${files} files`,
    unit: 'x',
    ...measureRatio(measured),
    aim: { atMost: 4 },
    how: 'relative to bare tar and gzip of the same files, alternated',
    detail: `${Math.round(measureSpread(measured.ours).value)} ms to ${Math.round(measureSpread(measured.control).value)} ms`,
  })
  return [row('snapshot', packing), row('restore', unpacking)]
}

/** Packs and unpacks the same files with bare tar, without a sandbox. */
function createBareTar(folder: string, archive: string) {
  return {
    pack: () => run('bash', ['-c', 'tar -c -C "$1" tree | gzip -1 > "$2"', 'bash', folder, archive]),
    unpack: async () => {
      const into = await mkdtemp(join(folder, 'into-'))
      await run('tar', ['-xzf', archive, '-C', into])
    },
  }
}

async function measureCrowd(port: SandboxPort, quick: boolean): Promise<Row[]> {
  const count = quick ? 10 : 50
  const names = Array.from({ length: count }, (_, index) => `crowd-${index}`)
  const crowd = await Promise.all(names.map((name) => port.create({ ...options, name })))
  const command = 'echo x > file; cat file'
  const measureCommands = async (work: (sandbox: Sandbox) => Promise<unknown>): Promise<number[]> => {
    const durations: number[] = []
    const sendInLoop = async (sandbox: Sandbox): Promise<void> => {
      for (let call = 0; call < (quick ? 3 : 10); call++) durations.push(await measureMs(() => work(sandbox)))
    }
    await Promise.all(crowd.map(sendInLoop))
    return durations
  }
  const measureP99 = async (work: (sandbox: Sandbox) => Promise<unknown>) => quantile(await measureCommands(work), 0.99)
  const compareTo = (control: (command: string) => Promise<void>) =>
    compare({
      rounds: quick ? 1 : 3,
      ours: () => measureP99((sandbox) => sandbox.exec(command, limits)),
      control: () => measureP99(() => control(command)),
    })
  const toBare = await compareTo(runBare)
  const toBubblewrap = await compareTo(runBareBubblewrap)
  const toPrograms = await compareTo((command) => runBubblewrapBehindPrograms(toBashCommand(command)))
  const before = await readDescendantMemory()
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const sleeping = crowd.map((sandbox) =>
    sandbox.exec('sleep 30', { ...limits, signal: stop.signal }).catch(() => undefined),
  )
  await Promise.all(crowd.map((sandbox) => sandbox.exec('true', limits)))
  const megabytes = ((await readDescendantMemory()) - before) / count
  stop.abort(new Error('measured'))
  await Promise.all(sleeping)
  for (const sandbox of crowd) await sandbox.destroy()
  return [
    {
      name: `${count} concurrent sandboxes, p99 of a command`,
      unit: 'x',
      ...measureRatio(toBare),
      aim: { atMost: 1.5 },
      how: 'all sandboxes run short commands one after the other, at the same time; relative to the same number of bare child processes',
      detail: describeMedians(toBare, 'bare'),
    },
    {
      name: `${count} concurrent sandboxes, p99 of a command: relative to bare bubblewrap`,
      unit: 'x',
      ...measureRatio(toBubblewrap),
      how: 'the same, relative to the same number of bare bubblewraps',
      detail: describeMedians(toBubblewrap, 'bare bubblewrap'),
    },
    {
      name: `${count} concurrent sandboxes, p99 of a command: relative to bubblewrap behind the same programs`,
      unit: 'x',
      ...measureRatio(toPrograms),
      how: behindPrograms,
      detail: describeMedians(toPrograms, 'behind programs'),
    },
    {
      name: `memory of a sandbox that runs a command, of ${count}`,
      unit: 'MB',
      value: megabytes,
      low: megabytes,
      high: megabytes,
      aim: { atMost: 20 },
      how: 'proportional set size of all processes of the sandboxes, divided by their number',
    },
  ]
}

/** Returns the memory of all descendants of this process in megabytes. Shared memory is counted once. */
async function readDescendantMemory(): Promise<number> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const parents = new Map<number, number>()
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    parents.set(Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isDescendant = (pid: number): boolean => {
    for (let parent = parents.get(pid); parent !== undefined && parent > 1; parent = parents.get(parent))
      if (parent === process.pid) return true
    return false
  }
  let kilobytes = 0
  for (const pid of parents.keys()) {
    if (!isDescendant(pid)) continue
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return kilobytes / 1024
}
