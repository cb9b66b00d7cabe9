import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalFile } from '../../dev/stack/data-dir.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { waitFor } from '../../dev/processes/processes.ts'

/** `npm start` with a separate folder and ports, to avoid conflicts with another copy on this machine. */
export type IsolatedStack = {
  dataDir: string
  environment: NodeJS.ProcessEnv
  /** The output since the latest start. */
  output(): string
  readLocal(): Promise<LocalFile | undefined>
  /** Returns the running stack, or starts one. */
  ensureRunning(): Promise<{ child: ChildProcess; local: LocalFile }>
  close(): Promise<void>
}

const portSettings = ['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']

const choosePorts = async (): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(portSettings.map(async (name) => [name, String(await freePort())] as const)))

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

export const waitForExit = (child: ChildProcess): Promise<number | null> =>
  hasEnded(child) ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('exit', resolve))

export const createIsolatedStack = async (settings: Record<string, string> = {}): Promise<IsolatedStack> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'backline-stack-'))
  const { PATH, HOME, XDG_CACHE_HOME, TEMPORAL_CLI } = process.env
  const environment: NodeJS.ProcessEnv = { PATH, HOME, XDG_CACHE_HOME, TEMPORAL_CLI, DATA_DIR: dataDir, ...settings }
  Object.assign(environment, await choosePorts())
  const localFile = join(dataDir, 'local.json')
  let child: ChildProcess | undefined
  let output = ''

  const readLocal = async (): Promise<LocalFile | undefined> => {
    const text = await readFile(localFile, 'utf8').catch(() => undefined)
    return text === undefined ? undefined : (JSON.parse(text) as LocalFile)
  }

  /** Resolves to undefined if the supervisor ends before the stack is ready. */
  const start = async (): Promise<LocalFile | undefined> => {
    // A killed supervisor does not delete its `local.json`.
    await rm(localFile, { force: true })
    output = ''
    const supervisor = spawn(process.execPath, ['dev/bootstrap.mjs', 'start'], { env: environment, stdio: 'pipe' })
    for (const stream of [supervisor.stdout, supervisor.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    child = supervisor
    const local = await waitFor(async () => (hasEnded(supervisor) ? 'ended' : await readLocal()), 240_000)
    return local === 'ended' ? undefined : local
  }

  return {
    dataDir,
    environment,
    output: () => output,
    readLocal,
    ensureRunning: async () => {
      let local = child !== undefined && !hasEnded(child) ? await readLocal() : await start()
      // If another process binds a chosen port before the stack does, the stack starts again with other ports.
      while (local === undefined && output.includes('is in use by another program')) {
        Object.assign(environment, await choosePorts())
        local = await start()
      }
      if (local === undefined || child === undefined) throw new Error(`npm start did not become ready:\n${output}`)
      return { child, local }
    },
    close: async () => {
      child?.kill('SIGTERM')
      if (child !== undefined) await waitForExit(child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
