import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createBubblewrapSandboxes } from '../../../providers/sandbox/bubblewrap/bubblewrap.ts'
import { exposedFolders } from '../../../providers/sandbox/bubblewrap/args.ts'
import { createLocalSandboxes } from '../../../providers/sandbox/local/local.ts'
import { eventually } from '../../world/world.ts'
import { gitIdentity, limits, localDrivers } from './contract.ts'

const source = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const bubblewrap = (await localDrivers()).find(({ name }) => name === 'bubblewrap')
const title = bubblewrap?.available === true ? 'bubblewrap' : `bubblewrap (skipped: ${bubblewrap?.reason})`

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'backline-sandbox-host-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe.skipIf(bubblewrap?.available !== true)(`the driver ${title}`, () => {
  it.each([0o700, 0o755])('runs commands in a folder with the mode %o', async (mode) => {
    const parent = join(root, `mode-${mode}`)
    await mkdir(parent)
    await chmod(root, 0o755)
    await chmod(parent, mode)
    const port = await createBubblewrapSandboxes({ root: join(parent, 'sandboxes') })
    const sandbox = await port.create({ name: 'here', timeoutMs: 60_000, gitIdentity })
    expect((await sandbox.exec('echo kept > file; cat file', limits)).output).toBe('kept\n')
    await sandbox.destroy()
  })

  it('ends every command of a killed worker', async () => {
    const folder = join(root, 'killed')
    const port = await createBubblewrapSandboxes({ root: folder })
    const sandbox = await port.create({ name: 'orphan', timeoutMs: 60_000, gitIdentity })
    const script = `
      const { createBubblewrapSandboxes } = await import(${JSON.stringify(source('providers/sandbox/bubblewrap/bubblewrap.ts'))})
      const port = await createBubblewrapSandboxes({ root: ${JSON.stringify(folder)} })
      const sandbox = await port.open(${JSON.stringify(sandbox.state)})
      await sandbox.exec('while true; do date +%s%N > next; mv next beat; sleep 0.05; done', { timeoutMs: 60000, maxOutputBytes: 1000 })`
    const worker = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: source(''),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void worker.kill('SIGKILL'))
    let errorOutput = ''
    worker.stderr.on('data', (data) => (errorOutput += String(data)))
    const beat = async (): Promise<string> => (await sandbox.exec('cat beat 2>/dev/null', limits)).output
    const firstBeat = async (): Promise<string | undefined> => {
      if (worker.exitCode !== null) throw new Error(`the worker ended: ${errorOutput}`)
      return (await beat()) || undefined
    }
    const first = await eventually('the first beat', firstBeat)
    await eventually('the next beat', async () => ((await beat()) === first ? undefined : true))
    worker.kill('SIGKILL')
    const last = await eventually('the last beat', async () => {
      const [before] = [await beat()]
      await new Promise((resolve) => setTimeout(resolve, 300))
      return (await beat()) === before ? before : undefined
    })
    expect(last).not.toBe('')
    await sandbox.destroy()
  })

  it('leaves no process and no memory cgroup after a sandbox has stopped', async () => {
    const port = await createBubblewrapSandboxes({ root: join(root, 'strays') })
    const sandbox = await port.create({ name: 'strays', timeoutMs: 60_000, gitIdentity })
    const { uid } = JSON.parse(await readFile(join(root, 'strays', 'strays', 'meta.json'), 'utf8')) as { uid?: number }
    if (uid !== undefined) {
      // Simulates a worker that was killed while it started a command.
      const stray = spawn('sleep', ['60'], { uid, gid: uid, stdio: 'ignore' })
      const exit = new Promise<string | null>((resolve) => stray.once('exit', (_, signal) => resolve(signal)))
      await sandbox.stop()
      expect(await exit).toBe('SIGKILL')
    }
    await sandbox.execDetached?.('sleep 60', { watchMs: 100 })
    await sandbox.destroy()
    const groups = await Promise.all(
      ['/sys/fs/cgroup', '/sys/fs/cgroup/memory'].map((folder) => readdir(folder).catch(() => [])),
    )
    expect(groups.flat().filter((group) => group.endsWith('-strays'))).toEqual([])
  })

  it('ends a command that exceeds the disk limit of its sandbox', async () => {
    const port = await createBubblewrapSandboxes({ root: join(root, 'disk'), limits: { diskBytes: 50_000_000 } })
    const sandbox = await port.create({ name: 'full', timeoutMs: 60_000, gitIdentity })
    const fillDisk = 'for i in {1..200}; do head -c 20000000 /dev/zero > "file$i"; sleep 0.1; done'
    expect(await sandbox.exec(fillDisk, limits)).toMatchObject({ exitCode: null, diskFull: true })
    expect((await sandbox.exec('rm file*; echo freed', limits)).output).toBe('freed\n')
    await sandbox.destroy()
  })
})

describe('a local driver', () => {
  it('can be the simulated shell, which reports its isolation', async () => {
    const log = { info: () => {}, warn: () => {} }
    const port = await createLocalSandboxes({ root: join(root, 'simulated'), provider: 'just-bash', log })
    expect(await port.probe()).toEqual({ ok: true, isolation: expect.stringContaining('just-bash') })
  })

  it('hides a checkout under /usr from sandboxes, but no system folder', () => {
    expect(
      exposedFolders([
        '/usr/src/app',
        '/usr/src/app/data',
        '/usr/local/app',
        '/usr',
        '/usr/local',
        '/usr/lib/x',
        '/srv',
      ]),
    ).toEqual(['/usr/src/app', '/usr/local/app'])
  })
})
