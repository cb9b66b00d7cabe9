import { createHash } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Control group hierarchy. `enter` is the shell code that moves the shell into the group at `$1`. */
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
  // `tasks` moves a single thread, so the kernel does not block the start and end of other processes.
  enter: 'echo 0 > "$1/tasks"',
}

/**
 * Memory limit over all processes of a sandbox. `enter` returns the folder of the group, for `script`. After as many `leave`
 * calls, the group is removed unless it still has processes.
 */
export type MemoryGroups = {
  enter(name: string): Promise<string>
  /**
   * Shell function `enter_group FOLDER`, which moves the shell into the group. Another process may remove the group while it is
   * empty, so the function creates it again if necessary.
   */
  readonly script: string
  leave(name: string): Promise<void>
  /** Removes the group of a sandbox that has stopped. */
  remove(name: string): Promise<void>
}

/** Creates the memory groups of a root. Returns undefined if control groups do not exist or are not writable. */
export async function createMemoryGroups(root: string, bytes: number): Promise<MemoryGroups | undefined> {
  const hierarchy = await findHierarchy()
  if (hierarchy === undefined) return undefined
  const rootHash = createHash('sha256').update(root).digest('hex').slice(0, 8)
  const buildPath = (name: string): string => join(hierarchy.base, `backline-${rootHash}-${name}`)
  const users = new Map<string, number>()
  // Operations run one at a time, so that no group is removed between its creation and its first process.
  let lastOperation: Promise<unknown> = Promise.resolve()
  const serialize = <T>(work: () => Promise<T>): Promise<T> => {
    const operation = lastOperation.then(work, work)
    lastOperation = operation.catch(() => {})
    return operation
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
    serialize(async () => {
      users.set(name, (users.get(name) ?? 0) + 1)
      // Only an optimization, because the script creates a missing group.
      await mkdir(buildPath(name)).catch(() => {})
      return buildPath(name)
    })
  /** Returns false if the kernel still counts processes in the group. */
  const tryRemove = async (name: string): Promise<boolean> => {
    if (users.has(name)) return true
    const failure = await rmdir(buildPath(name)).catch((error: NodeJS.ErrnoException) => error)
    return failure?.code !== 'EBUSY'
  }
  const leave = (name: string): Promise<void> =>
    serialize(async () => {
      const remaining = (users.get(name) ?? 1) - 1
      if (remaining > 0) users.set(name, remaining)
      else users.delete(name)
      await tryRemove(name)
    })
  const remove = async (name: string): Promise<void> => {
    // A killed process stays in its group until its parent has reaped it.
    for (let tries = 0; tries < 20 && !(await serialize(() => tryRemove(name))); tries++) await pause(25)
  }
  /** Removes the empty groups of killed processes. The kernel refuses to remove a group that is in use. */
  const sweep = async (): Promise<void> => {
    const names = (await readdir(hierarchy.base)).filter((name) => name.startsWith(`backline-${rootHash}-`))
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

/** Finds a writable memory hierarchy of this machine; undefined if there is none. */
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
