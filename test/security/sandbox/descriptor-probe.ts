import { randomBytes } from 'node:crypto'
import { readFile, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sandbox, SandboxPort } from '../../../providers/sandbox/index.ts'

const limits = { timeoutMs: 60_000, maxOutputBytes: 1_000_000 }
const listDescriptors = 'for process in /proc/[0-9]*; do ls -l $process/fd; done'

/** Returns the targets of the descriptors of a process, or undefined after it has ended. */
const listLinks = async (pid: string): Promise<string[] | undefined> => {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => undefined)
  return descriptors && Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
}

type ProcessView = { command: string; links: string[] }

/** Returns the descendant processes by id. */
const listDescendants = async (): Promise<Map<string, ProcessView>> => {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  const parents = new Map(
    stats.map((stat, index) => [pids[index], stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]]),
  )
  const isDescendant = (pid: string | undefined): boolean =>
    pid !== undefined && pid !== '0' && (parents.get(pid) === String(process.pid) || isDescendant(parents.get(pid)))
  const seen = new Map<string, ProcessView>()
  for (const pid of pids.filter(isDescendant)) {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
    const links = await listLinks(pid)
    // A process that has ended has neither links nor a command.
    if (links !== undefined && command !== '') seen.set(pid, { command, links })
  }
  return seen
}

/** Samples the processes during `work` and returns the last sample of each process. */
const watchProcesses = async (work: Promise<unknown>): Promise<ProcessView[]> => {
  const last = new Map<string, ProcessView>()
  const workEnd = work.then(() => true)
  const sample = async (): Promise<false> => {
    for (const [pid, seen] of await listDescendants()) last.set(pid, seen)
    return false
  }
  // The work continues between samples.
  while (!(await Promise.race([workEnd, sample()])));
  return [...last.values()]
}

const catchRefusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `no refusal: ${JSON.stringify(value)}`,
    (error: Error) => error.message,
  )

const inspectBubblewrap = async (sandbox: Sandbox, hostFolder: string) => {
  const folder = '/proc/self/fd/200'
  return {
    exec: (await sandbox.exec(listDescriptors, limits)).output,
    input: (await sandbox.exec(listDescriptors, { ...limits, stdin: 'input' })).output,
    detached: (await sandbox.execDetached?.(listDescriptors, { watchMs: 30_000 }))?.output ?? '',
    read: await catchRefusal(sandbox.readFile(`${folder}/secret`, { maxBytes: 1000 })),
    write: await catchRefusal(sandbox.writeFiles([{ path: `${folder}/planted`, content: 'pwned' }])),
    glob: await catchRefusal(sandbox.glob({ root: folder, regex: '.*', limit: 10 })),
    folder: await readdir(hostFolder),
  }
}

const inspectJustBash = async (sandbox: Sandbox, workspace: string) => {
  const stop = new AbortController()
  const execution = sandbox.exec('echo > started; sleep 50', { ...limits, signal: stop.signal }).catch(() => {})
  while (!(await readdir(workspace)).includes('started')) await new Promise(setImmediate)
  const seen = [...(await listDescendants()).values()].filter(({ command }) => command.includes('just-bash-child'))
  stop.abort()
  await execution
  return { exec: seen }
}

export type Report = {
  /** Descriptors of this process that refer to the host folder. */
  inherited: string[]
  bubblewrap?: Awaited<ReturnType<typeof inspectBubblewrap>>
  justBash?: Awaited<ReturnType<typeof inspectJustBash>>
  packing: ProcessView[]
}

/** Reports the descriptors that a driver passes into a sandbox. Arguments: driver, root, host folder. */
const main = async ([driver = '', root = '', hostFolder = '']: string[]): Promise<Report> => {
  const isBubblewrap = driver === 'bubblewrap'
  const inherited = ((await listLinks('self')) ?? []).filter((link) => link.startsWith(hostFolder))
  const port: SandboxPort = isBubblewrap
    ? await (await import('../../../providers/sandbox/bubblewrap/bubblewrap.ts')).createBubblewrapSandboxes({ root })
    : await (await import('../../../providers/sandbox/just-bash.ts')).createJustBashSandboxes({ root })
  const sandbox = await port.create({ name: 'probe', timeoutMs: 600_000, gitIdentity: { name: 'a', email: 'a@b.c' } })
  try {
    const seen = isBubblewrap
      ? { bubblewrap: await inspectBubblewrap(sandbox, hostFolder) }
      : { justBash: await inspectJustBash(sandbox, join(root, 'probe', 'workspace')) }
    await sandbox.writeFiles([{ path: 'large', content: randomBytes(15_000_000) }])
    const packing = await watchProcesses(sandbox.snapshot())
    return { inherited, ...seen, packing }
  } finally {
    await sandbox.destroy()
  }
}

const report = await main(process.argv.slice(2))
process.stdout.write(JSON.stringify(report), () => process.exit())
