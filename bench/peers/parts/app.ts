import { open, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { launch, type LaunchedProcess } from '../../../dev/processes/processes.ts'
import { awaitReady } from '../../../dev/processes/readiness.ts'

export type App = {
  name: string
  command: string[]
  cwd?: string
  env: Record<string, string>
  /** Folder of the log file. */
  folder: string
  /** Port of the app, which is ready when the port responds. */
  port: number
}

/** Starts a process of a peer and waits until its port responds. */
export async function startApp({ name, command, cwd, env, folder, port }: App): Promise<LaunchedProcess> {
  const path = join(folder, `${name}.log`)
  const log = await open(path, 'a')
  const part = await launch({
    command,
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', log.fd, log.fd],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: 5000 }],
  })
  await log.close()
  try {
    return await awaitReady(part, name, () => acceptsConnections(port))
  } catch (error) {
    throw new Error(`${name} did not start: ${(await readFile(path, 'utf8')).slice(-2000)}`, { cause: error })
  }
}

/** Kills a process and its descendants with SIGKILL. */
export async function killApp(part: LaunchedProcess): Promise<void> {
  process.kill(-part.pid, 'SIGKILL')
  await part.exited
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
