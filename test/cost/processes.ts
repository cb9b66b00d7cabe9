import { readdirSync, readFileSync } from 'node:fs'

// The kernel reports CPU time in hundredths of a second on every machine.
const ticksPerSecond = 100

type Times = { parent: number; own: number; ended: number }

const readTimes = (pid: number | string): Times | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => fields[index],
    )
    return { parent, own: (user + system) / ticksPerSecond, ended: (endedUser + endedSystem) / ticksPerSecond }
  } catch {
    return undefined
  }
}

/** Returns the CPU seconds of this process with all its threads, and of its ended children. */
export function measureOwnSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + (readTimes(process.pid)?.ended ?? 0)
}

/** Returns the CPU seconds of a process and of its running and ended children, or 0 on a system without /proc. */
export function measureTreeSeconds(pid: number): number {
  const root = readTimes(pid)
  if (root === undefined) return 0
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => readTimes(entry) ?? [])
    .filter(({ parent }) => parent === pid)
  return root.own + root.ended + children.reduce((sum, { own, ended }) => sum + own + ended, 0)
}
