import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { eventually } from '../world.ts'
import type { World } from '../world.ts'

/** A part of the product as a process of its own. */
export type Part = {
  pid: number
  /** What it wrote so far. */
  output(): string
  /** No chance to clean up. */
  kill(): Promise<void>
  /** Asks it to end and waits. */
  stop(): Promise<number | null>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

const startPart = (entry: string, environment: Record<string, string>): Part & { child: ChildProcess } => {
  const child = spawn(process.execPath, ['--enable-source-maps', entry], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const exited = once(child, 'exit')
  // A test that fails midway leaves no process behind.
  onTestFinished(() => void child.kill('SIGKILL'))
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await exited
    return child.exitCode
  }
  return {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

const until = async (part: Part & { child: ChildProcess }, what: string, ready: () => Promise<true | undefined>) => {
  await eventually(
    what,
    async () => {
      if (part.child.exitCode !== null) throw new Error(`${what}: the process ended\n${part.output()}`)
      return ready()
    },
    30_000,
  )
  return part
}

const environmentOf = (world: World): Record<string, string> => ({
  DATABASE_URL: world.databaseUrl,
  TEMPORAL_ADDRESS: world.temporalAddress,
  TASK_QUEUE: world.taskQueue,
  WORKFLOW_BUNDLE: inject('built').workflowBundle,
  DATA_DIR: world.config.DATA_DIR,
  SERVER_SECRET: world.config.SERVER_SECRET ?? '',
  LOCAL_MODEL_WORDS_PER_SECOND: String(world.config.LOCAL_MODEL_WORDS_PER_SECOND),
})

/** A worker on the world's task queue. */
export const startWorkerProcess = (world: World): Promise<Part> => {
  const part = startPart(inject('built').worker, environmentOf(world))
  return until(part, 'a worker that takes tasks', async () => part.output().includes('worker is ready') || undefined)
}

/** An API on the world's database; `baseUrl` is where it listens. */
export const startApiProcess = async (world: World): Promise<Part & { baseUrl: string }> => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const part = startPart(inject('built').server, { ...environmentOf(world), PORT: String(port) })
  const answers = async (): Promise<true | undefined> => {
    const response = await fetch(`${baseUrl}/healthz`).catch(() => undefined)
    await response?.body?.cancel()
    return response?.status === 200 || undefined
  }
  return { ...(await until(part, 'an API that answers', answers)), baseUrl }
}
