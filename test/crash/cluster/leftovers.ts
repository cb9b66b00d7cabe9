import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pino } from 'pino'
import { readCommandLine, isRunning, readProcessMark, waitFor } from '../../../dev/processes/processes.ts'
import { killRecorded } from '../../../providers/sandbox/local/host.ts'
import { createLocalSandboxes } from '../../../providers/sandbox/local/local.ts'

const mentions = (pid: number, name: string): boolean =>
  ['cmdline', 'environ', 'mountinfo'].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(name)
    } catch {
      return false
    }
  })

const isWorkingIn = (pid: number, name: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).includes(name)
  } catch {
    return false
  }
}

/** Lists processes that refer to a uniquely named folder in their command line, environment, mounts or working directory. */
export const listProcesses = (folder: string): { pid: number; command: string }[] => listMentioning(basename(folder))

const listMentioning = (name: string): { pid: number; command: string }[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) => (mentions(pid, name) || isWorkingIn(pid, name)) && readProcessMark(pid) !== undefined)
    .map((pid) => ({ pid, command: readCommandLine(pid) }))

/** Signals the processes that refer to a unique part of a path. Returns their ids. */
export const signalProcesses = (name: string, signal: NodeJS.Signals): number[] =>
  listMentioning(name).flatMap(({ pid }) => {
    try {
      process.kill(pid, signal)
      return [pid]
    } catch {
      // The process has already ended.
      return []
    }
  })

/** Whether a process is suspended, for which /proc shows `T`, or has ended. */
export const isSuspended = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat === undefined || /\) [TtZX] /.test(stat)
}

/** Ends the processes in the sandboxes of killed workers and removes their memory groups. */
export const endSandboxes = async (sandboxRoot: string): Promise<void> => {
  for (const name of await readdir(sandboxRoot).catch(() => []))
    await killRecorded(join(sandboxRoot, name, 'processes'))
  // The start of a worker removes the files of killed workers.
  await createLocalSandboxes({ root: sandboxRoot, provider: 'auto', log: pino({ level: 'silent' }) })
}

/** Kills every process that refers to the folder. Returns the killed processes. */
export const killLeftovers = async (folder: string): Promise<string[]> => {
  const processes = listProcesses(folder)
  for (const { pid } of processes) {
    const mark = readProcessMark(pid)
    if (mark === undefined) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
    await waitFor(() => !isRunning(mark), 5000)
  }
  return processes.map(({ pid, command }) => `${pid} ${command}`)
}
