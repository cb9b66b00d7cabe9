import type { ForkOptions } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

const setpriv = '/usr/bin/setpriv'

/** Returns options for `fork`. Where setpriv is installed, the kernel kills the child when this process dies. */
export function boundToParent(nodeArguments: string[]): Pick<ForkOptions, 'execPath' | 'execArgv'> {
  return existsSync(setpriv)
    ? { execPath: setpriv, execArgv: ['--no-new-privs', '--pdeathsig', 'KILL', process.execPath, ...nodeArguments] }
    : { execArgv: nodeArguments }
}

/** True if all users can traverse every folder above `path`. */
export function isTraversable(path: string): boolean {
  for (let ancestor = path; ; ancestor = dirname(ancestor)) {
    try {
      if ((statSync(ancestor).mode & 0o001) === 0) return false
    } catch {
      return false
    }
    if (ancestor === dirname(ancestor)) return true
  }
}

// `highUids` is above all ranges that distributions assign. `lowUids` is for containers with a small user map.
const highUids = { first: 1_879_048_192, count: 100_000_000 }
const lowUids = { first: 30_000, count: 20_000 }

/** Returns the user id of this service's unprivileged helper processes. No sandbox has this user. */
export function serviceUid(): number {
  return uidRange().first - 1
}

/** Returns the user id of the embedded Postgres. No sandbox or helper process has this user. */
export function databaseUid(): number {
  return uidRange().first - 2
}

/** Reserves a user id for one sandbox. The reservation is a file with the id as its name. */
export async function reserveUid(root: string, name: string): Promise<number> {
  const reservations = join(root, '.uids')
  await mkdir(reservations, { recursive: true, mode: 0o700 })
  const { first, count } = uidRange()
  for (let attempt = 0; attempt < 1000; attempt++) {
    const uid = first + Math.floor(Math.random() * count)
    try {
      await writeFile(join(reservations, String(uid)), name, { flag: 'wx' })
      return uid
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error('no unprivileged user id is free for a sandbox')
}

export function releaseUid(root: string, uid: number): Promise<void> {
  return rm(join(root, '.uids', String(uid)), { force: true })
}

/** Records a group whose first process does not write its own record. Returns the path of the record. */
export async function recordProcess(folder: string, pid: number): Promise<string> {
  const path = join(folder, String(pid))
  const line = await readIfExists(`/proc/${pid}/stat`)
  if (line !== undefined) await writeFile(path, line)
  return path
}

/** Kills every process group recorded in `folder`; with `before` (epoch ms), only groups that were recorded earlier. */
export function killRecorded(folder: string, before = Number.POSITIVE_INFINITY): Promise<void> {
  return forEachRecord(folder, async ({ pid, started, alive, recordedAt }) => {
    if (!alive) return 'forget'
    if (recordedAt >= before) return 'keep'
    killProcess(-pid)
    for (let waitedMs = 0; waitedMs < 2000 && (await isAlive(pid, started)); waitedMs += 20) await pause(20)
    return 'forget'
  })
}

/**
 * Kills the remaining processes of recorded groups whose first process has ended. A worker that is killed during the setup
 * of a sandbox leaves a helper that waits forever. In groups of running workers, the first process is still running.
 */
export function endOrphans(folder: string): Promise<void> {
  return forEachRecord(folder, async ({ pid, started, alive }) => {
    if (alive) return 'keep'
    // The kernel does not reuse the id of a group while the group has processes.
    const successor = await readIfExists(`/proc/${pid}/stat`)
    if (successor === undefined || readStartTime(successor) === started) killProcess(-pid)
    return 'forget'
  })
}

/** Kills every process of the user of one sandbox, including processes that a killed worker left. */
export async function killUser(uid: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < 2000; waitedMs += 20) {
    const pids = await listProcesses(uid)
    if (pids.length === 0) return
    for (const pid of pids) killProcess(pid)
    await pause(20)
  }
}

function uidRange(): typeof highUids {
  const uidMap = readFileSync('/proc/self/uid_map', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const hasHighRange = uidMap.some(
    ([first = 0, , count = 0]) => first <= highUids.first && first + count > highUids.first + highUids.count,
  )
  return hasHighRange ? highUids : lowUids
}

function readIfExists(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

/**
 * Visits the process groups recorded in `folder`. A record is a file named by the leader's process id; it contains the leader's
 * line of /proc at its start, so that a reused id is detected. The record is deleted if `end` returns `forget`.
 */
async function forEachRecord(
  folder: string,
  end: (group: { pid: number; started: string; alive: boolean; recordedAt: number }) => Promise<'forget' | 'keep'>,
): Promise<void> {
  for (const entry of await readdir(folder).catch(() => [])) {
    const pid = Number(entry)
    const started = readStartTime((await readIfExists(join(folder, entry))) ?? '')
    const isValid = Number.isSafeInteger(pid) && pid > 1 && started !== undefined
    const { mtimeMs: recordedAt } = await stat(join(folder, entry)).catch(() => ({ mtimeMs: 0 }))
    const verdict = isValid ? await end({ pid, started, alive: await isAlive(pid, started), recordedAt }) : 'keep'
    if (verdict === 'forget') await rm(join(folder, entry), { force: true })
  }
}

function readStartTime(statLine: string): string | undefined {
  return statLine.slice(statLine.lastIndexOf(')') + 2).split(' ')[19]
}

async function isAlive(pid: number, started: string | undefined): Promise<boolean> {
  const currentStat = await readIfExists(`/proc/${pid}/stat`)
  // A zombie has exited, but its parent has not waited for it.
  return currentStat !== undefined && readStartTime(currentStat) === started && !/\) Z /.test(currentStat)
}

/** Kills a process, or a process group if the id is negative. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function listProcesses(uid: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((entry) => /^\d+$/.test(entry))
  const ownPids = await Promise.all(
    pids.map(async (pid) => {
      const status = (await readIfExists(`/proc/${pid}/status`)) ?? ''
      const owner = /^Uid:[ \t]+(\d+)\s/m.exec(status)?.[1]
      return owner === String(uid) && !/^State:[ \t]+Z/m.test(status) ? Number(pid) : undefined
    }),
  )
  return ownPids.filter((pid) => pid !== undefined)
}
