import { createHash } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** `enter` is how a shell puts itself into the group at `$1`. */
type Hierarchy = { base: string; limitFile: string; swapFile: string; enter: string }

const unified: Hierarchy = {
  base: '/sys/fs/cgroup',
  limitFile: 'memory.max',
  swapFile: 'memory.swap.max',
  enter: 'echo $$ > "$1/cgroup.procs"',
}
const legacy: Hierarchy = {
  base: '/sys/fs/cgroup/memory',
  limitFile: 'memory.limit_in_bytes',
  swapFile: 'memory.memsw.limit_in_bytes',
  // Itself and one thread alone: the kernel stops no start or end of any other process meanwhile.
  enter: 'echo 0 > "$1/tasks"',
}

/**
 * One memory limit over all processes of a sandbox. `enter` names the group's folder for `script`; after as many `leave`
 * the group is removed, unless a process is still in it.
 */
export type MemoryGroups = {
  enter(name: string): Promise<string>
  /**
   * Shell function `enter_group FOLDER` that puts the shell itself into the group. Another process on this machine may
   * remove the group until something is in it, so it is made again as often as that happens.
   */
  readonly script: string
  leave(name: string): Promise<void>
  /** Removes the group of a sandbox that has stopped. */
  remove(name: string): Promise<void>
}

/** Undefined where control groups are absent or not ours to write. */
export async function createMemoryGroups(root: string, bytes: number): Promise<MemoryGroups | undefined> {
  const hierarchy = await findHierarchy()
  if (hierarchy === undefined) return undefined
  const owner = createHash('sha256').update(root).digest('hex').slice(0, 8)
  const buildPath = (name: string): string => join(hierarchy.base, `backline-${owner}-${name}`)
  const users = new Map<string, number>()
  // One after the other: a group is never removed between another's entry and its first process.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
  const swap = hierarchy === unified ? '0' : String(bytes)
  const script = `
enter_once() {
  { [ -d "$1" ] || mkdir -p "$1"; } && echo ${bytes} > "$1/${hierarchy.limitFile}" || return 1
  echo ${swap} > "$1/${hierarchy.swapFile}"
  ${hierarchy.enter}
}
enter_group() {
  for try in 1 2 3 4 5 6 7 8; do enter_once "$1" 2> /dev/null && return 0; done
  enter_once "$1"
}`
  const enter = (name: string): Promise<string> =>
    inTurn(async () => {
      users.set(name, (users.get(name) ?? 0) + 1)
      // Here it costs nothing; the script sees to it that there is one.
      await mkdir(buildPath(name)).catch(() => {})
      return buildPath(name)
    })
  // A group that still has processes cannot be removed.
  const tryRemove = async (name: string): Promise<boolean> => {
    if (users.has(name)) return true
    const fault = await rmdir(buildPath(name)).catch((error: NodeJS.ErrnoException) => error)
    return fault?.code !== 'EBUSY'
  }
  const leave = (name: string): Promise<void> =>
    inTurn(async () => {
      const left = (users.get(name) ?? 1) - 1
      if (left > 0) users.set(name, left)
      else users.delete(name)
      await tryRemove(name)
    })
  const remove = async (name: string): Promise<void> => {
    // A killed process stays in its group until its parent has looked.
    for (let tries = 0; tries < 20 && !(await inTurn(() => tryRemove(name))); tries++) await pause(25)
  }
  /** Groups that killed processes left empty; one that is in use cannot be removed. */
  const sweep = async (): Promise<void> => {
    const names = (await readdir(hierarchy.base)).filter((name) => name.startsWith(`backline-${owner}-`))
    await Promise.all(names.map((name) => rmdir(join(hierarchy.base, name)).catch(() => {})))
  }
  try {
    const probe = buildPath(`probe-${process.pid}`)
    await mkdir(probe)
    await writeFile(join(probe, hierarchy.limitFile), String(bytes))
    await rmdir(probe)
    await sweep()
  } catch {
    return undefined
  }
  return { enter, script, leave, remove }
}

/** Where memory can be limited for a whole sandbox here, if anywhere. */
async function findHierarchy(): Promise<Hierarchy | undefined> {
  const delegated = await readFile(join(unified.base, 'cgroup.subtree_control'), 'utf8').catch(() => '')
  if (delegated.split(/\s+/).includes('memory') && (await canWrite(unified.base))) return unified
  return (await canWrite(join(legacy.base, 'memory.limit_in_bytes'))) || (await canWrite(legacy.base))
    ? legacy
    : undefined
}

function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}
