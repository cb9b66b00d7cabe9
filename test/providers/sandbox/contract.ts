import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBubblewrapSandboxes } from '../../../providers/sandbox/bubblewrap/bubblewrap.ts'
import {
  maxReceiptOutput,
  SandboxFileError,
  SandboxGoneError,
  SandboxSearchError,
  SandboxStoppedError,
  SnapshotGoneError,
  type Sandbox,
  type SandboxPort,
} from '../../../providers/sandbox/index.ts'
import { createJustBashSandboxes } from '../../../providers/sandbox/just-bash.ts'

const run = promisify(execFile)
export const gitIdentity = { name: 'Ada', email: 'ada@example.com' }
export const limits = { timeoutMs: 20_000, maxOutputBytes: 100_000 }

/** Whether this run is the proof suite, not the test suite that runs after each change. */
export const isProof = process.env['SUITE'] === 'proof'

export type Driver = {
  name: string
  available: boolean
  reason: string
  open: (root: string) => Promise<SandboxPort>
  close?: () => Promise<void>
}

const probe = async (name: string, open: Driver['open']): Promise<Driver> => {
  const root = await mkdtemp(join(tmpdir(), 'backline-probe-'))
  const port = await open(root)
  const { ok, isolation } = await port.probe()
  await rm(root, { recursive: true, force: true })
  return { name, available: ok, reason: isolation, open }
}

/** Returns both local drivers. `reason` states why a driver is not available on this machine. */
export const localDrivers = (): Promise<Driver[]> =>
  Promise.all([
    probe('bubblewrap', (root) => createBubblewrapSandboxes({ root })),
    probe('just-bash', (root) => createJustBashSandboxes({ root })),
  ])

/** Returns the driver that a deployment on this machine uses. Tests of driver-independent behavior use only this driver. */
export const findDefaultDriver = async (): Promise<Driver | undefined> =>
  (await localDrivers()).find(({ available }) => available)

/** Returns the local drivers that this run tests: the default driver in the test suite, the others in the proof suite. */
export const selectDrivers = async (): Promise<Driver[]> => {
  const drivers = await localDrivers()
  const defaultDriver = drivers.find(({ available }) => available)
  return isProof ? drivers.filter((driver) => driver !== defaultDriver) : [defaultDriver ?? drivers].flat()
}

export type SandboxFixture = {
  root: string
  port: SandboxPort
  sandbox: Sandbox
  run: (command: string) => Promise<string>
}

/** Opens a driver in a separate folder with one sandbox for the tests of a describe block. */
export const useSandboxFixture = (driver: Driver): SandboxFixture => {
  const fixture = {} as SandboxFixture
  beforeAll(async () => {
    fixture.root = await mkdtemp(join(tmpdir(), 'backline-sandboxes-'))
    fixture.port = await driver.open(fixture.root)
    fixture.sandbox = await fixture.port.create({ name: 'bench', timeoutMs: 60_000, gitIdentity })
    fixture.run = async (command) => (await fixture.sandbox.exec(command, limits)).output
  })
  afterAll(async () => {
    await fixture.sandbox.destroy()
    await driver.close?.()
    await rm(fixture.root, { recursive: true, force: true })
  })
  return fixture
}

/** Creates a repository with one commit. Returns the commit as a bundle and as files. */
const makeRepository = async (root: string) => {
  const folder = join(root, 'repository-of-the-test')
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', ['-C', folder, ...identity, ...args])).stdout.trim()
  await mkdir(join(folder, 'below'), { recursive: true })
  await writeFile(join(folder, 'below/read.me'), 'cloned\n')
  await git('init', '--quiet', '--initial-branch', 'main')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'first')
  await git('bundle', 'create', '--quiet', 'all.bundle', 'main')
  const commit = await git('rev-parse', 'HEAD')
  const files = [{ path: 'below/read.me', content: Buffer.from('cloned\n') }]
  return {
    commit,
    cloneUrl: 'https://code.example.com/a/b.git',
    branch: 'main',
    bundle: () => createReadStream(join(folder, 'all.bundle')),
    files: () => Promise.resolve({ commit, files }),
    broken: () => Promise.reject(new Error('cut')),
    /** Adds a commit that moves the file. Its bundle contains the history since the first commit. */
    addCommit: async () => {
      await git('mv', 'below/read.me', 'moved.me')
      await git('commit', '--quiet', '--message', 'second')
      await git('bundle', 'create', '--quiet', 'later.bundle', 'main', '--not', `${commit}^@`)
      return { commit: await git('rev-parse', 'HEAD'), bundle: () => createReadStream(join(folder, 'later.bundle')) }
    },
  }
}

/** Yields the start of a bundle and then throws. */
async function* streamBrokenBundle(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('# v2 git bundle')
  throw new Error('cut')
}

const decodeText = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

/** Declares the tests that every sandbox driver passes. */
export const describeSandbox = (driver: Driver): void => {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(title, () => {
    const fixture = useSandboxFixture(driver)

    it('runs a command in the working directory and reports how it ended', async () => {
      expect(await fixture.sandbox.exec('pwd; exit 3', limits)).toEqual({
        exitCode: 3,
        output: `${fixture.sandbox.workingDirectory}\n`,
        truncated: false,
        timedOut: false,
      })
    })

    it('returns both output streams in the order in which they were written', async () => {
      expect(await fixture.run('echo 1; echo 2 >&2; echo 3; echo 4 >&2')).toBe('1\n2\n3\n4\n')
    })

    it('runs in a subfolder of the working directory and reports a missing subfolder', async () => {
      await fixture.run('mkdir -p below')
      const { output } = await fixture.sandbox.exec('pwd', { ...limits, cwd: 'below' })
      expect(output).toBe(`${fixture.sandbox.workingDirectory}/below\n`)
      const absent = await fixture.sandbox.exec('pwd', { ...limits, cwd: 'absent' })
      expect(absent.exitCode).not.toBe(0)
      expect(absent.output).toContain('absent')
    })

    it('passes the environment, the standard input and the git identity to a command', async () => {
      const io = { env: { COLOUR: 'red; $(x)' }, stdin: 'from outside' }
      const { output } = await fixture.sandbox.exec('echo "$COLOUR"; cat; echo; echo "$GIT_AUTHOR_EMAIL"', {
        ...limits,
        ...io,
      })
      expect(output).toBe('red; $(x)\nfrom outside\nada@example.com\n')
    })

    it('accepts streamed input and rejects with the error of the stream', async () => {
      const chunks = Readable.from(Array.from({ length: 8 }, (_, index) => Buffer.alloc(1024 * 1024, index)))
      const { output } = await fixture.sandbox.exec('wc -c', { ...limits, stdin: chunks })
      expect(output.trim()).toBe(String(8 * 1024 * 1024))
      await expect(fixture.sandbox.exec('cat', { ...limits, stdin: streamBrokenBundle() })).rejects.toThrow('cut')
    })

    it('streams a file, and throws if it is absent or too large', async () => {
      await fixture.sandbox.writeFiles([{ path: 'long', content: Buffer.alloc(3_000_000, 'x') }])
      const chunks = fixture.sandbox.streamFile('long', { maxBytes: 3_000_000 })
      expect((await buffer(chunks)).equals(Buffer.alloc(3_000_000, 'x'))).toBe(true)
      const truncated = fixture.sandbox.streamFile('long', { maxBytes: 2_999_999 })
      await expect(buffer(truncated)).rejects.toMatchObject({ name: 'SandboxFileError', isTooLarge: true })
      await expect(buffer(fixture.sandbox.streamFile('absent', { maxBytes: 1 }))).rejects.toThrow(SandboxFileError)
      await fixture.run('rm long')
    })

    it('accepts a command of 300 kB', async () => {
      expect(await fixture.run(`word=${'x'.repeat(300_000)}; echo \${#word}`)).toBe('300000\n')
    })

    it('ends a command at its timeout', async () => {
      const startedAt = Date.now()
      const execResult = await fixture.sandbox.exec('sleep 20', { ...limits, timeoutMs: 1000 })
      expect(execResult).toMatchObject({ exitCode: null, timedOut: true })
      expect(Date.now() - startedAt).toBeLessThan(15_000)
    })

    it('ends a command long before its timeout when it is aborted', async () => {
      const controller = new AbortController()
      const execution = fixture.sandbox.exec('sleep 20', { ...limits, signal: controller.signal })
      const refused = expect(execution).rejects.toThrow('stopped by the caller')
      await new Promise((resolve) => setTimeout(resolve, 700))
      const abortedAt = Date.now()
      controller.abort(new Error('stopped by the caller'))
      await refused
      expect(Date.now() - abortedAt).toBeLessThan(10_000)
    })

    it('truncates the output at its limit without splitting a character', async () => {
      const execResult = await fixture.sandbox.exec(`printf 'ü%.0s' {1..2000}`, { ...limits, maxOutputBytes: 1001 })
      expect(execResult.truncated).toBe(true)
      expect(execResult.output).toBe('ü'.repeat(500))
    })

    it('streams output completely as it arrives', async () => {
      const chunks: string[] = []
      await fixture.sandbox.exec(`printf 'ü%.0s' {1..3000}`, { ...limits, onOutput: (chunk) => chunks.push(chunk) })
      expect(chunks.join('')).toBe('ü'.repeat(3000))
    })

    it('returns the result of a finished command from its receipt instead of running it again', async () => {
      expect(await fixture.sandbox.findReceipt('run-1')).toBeUndefined()
      const options = { ...limits, receipt: 'run-1' }
      const first = await fixture.sandbox.exec('echo once >> receipts.txt; echo done', options)
      expect(await fixture.sandbox.exec('echo once >> receipts.txt; echo done', options)).toEqual(first)
      expect(await fixture.run('cat receipts.txt')).toBe('once\n')
      const repeated = await fixture.port.open(fixture.sandbox.state)
      expect(await repeated.findReceipt('run-1')).toEqual(first)
      await expect(fixture.sandbox.findReceipt('../meta')).rejects.toThrow(TypeError)
      for (let times = 0; times < 2; times += 1) await fixture.sandbox.dropReceipt('run-1')
      expect(await fixture.sandbox.findReceipt('run-1')).toBeUndefined()
    })

    it('stores only the beginning of a long output with the receipt', async () => {
      const options = { ...limits, maxOutputBytes: 1_000_000, receipt: 'run-long' }
      await fixture.sandbox.writeFiles([{ path: 'long', content: 'x'.repeat(900_000) }])
      const { output } = await fixture.sandbox.exec('cat long', options)
      expect(output).toHaveLength(900_000)
      expect((await fixture.sandbox.findReceipt('run-long'))?.output).toHaveLength(maxReceiptOutput)
    })

    it('writes files and their folders, replaces files and reads them back', async () => {
      const binary = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
      await fixture.sandbox.writeFiles([
        { path: 'notes/deep/a b.txt', content: 'one' },
        { path: 'notes/binary', content: binary },
        { path: 'notes/empty', content: '' },
      ])
      await fixture.sandbox.writeFiles([{ path: 'notes/deep/a b.txt', content: 'two' }])
      expect(await fixture.run('cat "notes/deep/a b.txt"; wc -c < notes/binary')).toMatch(/^two\s*70000\n$/)
      const read = await fixture.sandbox.readFile('notes/binary', { maxBytes: 70_000 })
      expect(Buffer.compare(read, binary)).toBe(0)
      expect(decodeText(await fixture.sandbox.readFile('notes/empty', { maxBytes: 10 }))).toBe('')
    })

    it('never interprets a path as shell text', async () => {
      const path = '$(touch pwned) `id` "; x'
      await fixture.sandbox.writeFiles([{ path, content: 'plain' }])
      expect(decodeText(await fixture.sandbox.readFile(path, { maxBytes: 10 }))).toBe('plain')
      expect(await fixture.run('ls pwned 2>/dev/null')).toBe('')
    })

    it.each([
      ['absent', 'absent.txt', 'File not found'],
      ['a folder', 'below', 'Path is a folder'],
      ['over the limit', 'large', 'File is too large'],
    ])('does not read a path that is %s', async (_, path, message) => {
      await fixture.run('mkdir -p below; printf 12345678901 > large')
      const reading = fixture.sandbox.readFile(path, { maxBytes: 10 })
      await expect(reading).rejects.toThrow(message)
      await expect(reading).rejects.toBeInstanceOf(SandboxFileError)
    })

    it('does not overwrite a folder with a file', async () => {
      await expect(fixture.sandbox.writeFiles([{ path: '.', content: 'x' }])).rejects.toThrow('Path is a folder')
    })

    it('resumes a sandbox of the same name with its files', async () => {
      const options = { name: 'resumed', timeoutMs: 60_000, gitIdentity }
      const first = await fixture.port.create(options)
      await first.writeFiles([{ path: 'kept', content: 'yes' }])
      await first.stop()
      const second = await fixture.port.create({ ...options, timeoutMs: 120_000 })
      expect(decodeText(await second.readFile('kept', { maxBytes: 10 }))).toBe('yes')
      expect(second.state.expiresAt).toBeGreaterThan(first.state.expiresAt ?? Infinity)
      await second.destroy()
    })

    it('creates one sandbox for concurrent callers', async () => {
      const options = { name: 'contended', timeoutMs: 60_000, gitIdentity }
      const results = await Promise.allSettled([1, 2, 3].map(() => fixture.port.create(options)))
      expect(results.some((result) => result.status === 'fulfilled')).toBe(true)
      const sandbox = await fixture.port.create(options)
      expect((await sandbox.exec('true', limits)).exitCode).toBe(0)
      await sandbox.destroy()
    })

    it('destroys a sandbox completely, so that it can no longer be opened', async () => {
      const destroyed = await fixture.port.create({ name: 'doomed', timeoutMs: 60_000, gitIdentity })
      await destroyed.exec('mkdir -p a/b; echo x > a/b/c; chmod 000 a/b; chmod 000 a', limits)
      await destroyed.destroy()
      await destroyed.destroy()
      await expect(fixture.port.open(destroyed.state)).rejects.toBeInstanceOf(SandboxGoneError)
    })

    it('starts sandboxes from a snapshot until the snapshot is deleted', async () => {
      const options = { timeoutMs: 60_000, gitIdentity }
      const first = await fixture.port.create({ ...options, name: 'pictured' })
      await first.writeFiles([
        { path: 'deep/er/kept', content: 'before' },
        { path: 'locked/inside', content: 'hidden' },
      ])
      await first.exec('echo at home > ~/home.txt; chmod 755 deep/er/kept; chmod 000 locked', limits)
      const { snapshotId, sizeBytes } = await first.snapshot()
      expect(sizeBytes).toBeGreaterThan(0)
      await first.writeFiles([{ path: 'deep/er/kept', content: 'after' }])
      const second = await fixture.port.create({ ...options, name: 'developed', snapshotId })
      const listFiles =
        'cat deep/er/kept ~/home.txt; echo; [ -x deep/er/kept ] && echo runs; chmod 700 locked; cat locked/*'
      expect((await second.exec(listFiles, limits)).output).toBe('beforeat home\n\nruns\nhidden')
      expect((await first.exec('cat deep/er/kept', limits)).output).toBe('after')
      await fixture.port.deleteSnapshot(snapshotId)
      await fixture.port.deleteSnapshot(snapshotId)
      const createLate = fixture.port.create({ ...options, name: 'late', snapshotId })
      await expect(createLate).rejects.toBeInstanceOf(SnapshotGoneError)
      await first.destroy()
      await second.destroy()
      await expect(first.snapshot()).rejects.toBeInstanceOf(SandboxGoneError)
    })

    it('starts a sandbox from a repository, even after a failed attempt', async () => {
      const repository = await makeRepository(fixture.root)
      const options = { name: 'cloned', timeoutMs: 60_000, gitIdentity }
      const brokenRepository = { ...repository, bundle: streamBrokenBundle, files: repository.broken }
      await expect(fixture.port.create({ ...options, repository: brokenRepository })).rejects.toThrow('cut')
      const sandbox = await fixture.port.create({ ...options, repository })
      expect(sandbox.state.source).toEqual({
        repo: repository.cloneUrl,
        branch: 'main',
        baseCommit: repository.commit,
      })
      expect((await sandbox.exec('cat below/read.me', limits)).output).toBe('cloned\n')
      const git = await sandbox.exec('git remote get-url origin && git log --format=%s && git status --short', limits)
      if (driver.name === 'just-bash') expect(git.output).toContain('command not found')
      else expect(git.output).toBe(`${repository.cloneUrl}\nfirst\n`)
      const repeated = await fixture.port.create({ ...options, repository: brokenRepository })
      expect(repeated.state.source).toEqual(sandbox.state.source)
      await sandbox.destroy()
    })

    it('starts a sandbox from the snapshot of a clone, at the latest commit of its branch', async () => {
      if (!fixture.port.startsFromBases) return expect(driver.name).toBe('just-bash')
      const { addCommit, ...repository } = await makeRepository(join(fixture.root, '.sources'))
      const options = { timeoutMs: 60_000, gitIdentity }
      const base = await fixture.port.create({ ...options, name: 'base', repository })
      const { snapshotId } = await base.snapshot()
      await base.destroy()
      const { commit, bundle } = await addCommit()
      const requestedCommits: unknown[] = []
      const later = {
        ...repository,
        bundle: (known?: object) => {
          requestedCommits.push(known)
          return bundle()
        },
      }
      const sandbox = await fixture.port.create({ ...options, name: 'based', snapshotId, repository: later })
      expect(requestedCommits).toEqual([{ branch: 'main', commit: repository.commit }])
      expect(sandbox.state.source).toEqual({ repo: repository.cloneUrl, branch: 'main', baseCommit: commit })
      const listState =
        'ls; git log --format=%s; git status --short; git branch --format="%(refname:short)"; git rev-parse @{u}'
      expect((await sandbox.exec(listState, limits)).output).toBe(`moved.me\nsecond\nfirst\nmain\n${commit}\n`)
      await sandbox.exec('echo mine > moved.me', limits)
      const resumed = await fixture.port.create({ ...options, name: 'based', snapshotId, repository: later })
      expect((await resumed.exec('cat moved.me', limits)).output).toBe('mine\n')
      expect(requestedCommits).toHaveLength(1)
      await resumed.destroy()
      await fixture.port.deleteSnapshot(snapshotId)
    })

    it('finds files by path, most recently changed first', async () => {
      await fixture.sandbox.writeFiles([
        { path: 'found/old.ts', content: 'old' },
        { path: 'found/below/new.ts', content: 'newer' },
        { path: 'found/.hidden/no.ts', content: '' },
        { path: 'found/other.md', content: '' },
      ])
      await fixture.run('touch -d "2001-02-03T04:05:06Z" found/old.ts')
      const root = `${fixture.sandbox.workingDirectory}/found`
      const matches = await fixture.sandbox.glob({ root, regex: '\\./.*\\.ts', limit: 10 })
      expect(matches).toEqual([
        { path: `${root}/below/new.ts`, size: 5, modifiedAt: expect.any(Date) },
        { path: `${root}/old.ts`, size: 3, modifiedAt: new Date('2001-02-03T04:05:06Z') },
      ])
      expect(await fixture.sandbox.glob({ root, regex: '.*', limit: 1 })).toHaveLength(1)
      const absent = fixture.sandbox.glob({ root: `${root}/absent`, regex: '.*', limit: 1 })
      await expect(absent).rejects.toBeInstanceOf(SandboxSearchError)
    })

    it('extends the timeout of a sandbox and stores the new end', async () => {
      const sandbox = await fixture.port.create({ name: 'extended', timeoutMs: 60_000, gitIdentity })
      const expiresAt = (sandbox.state.expiresAt ?? 0) + 600_000
      const state = await sandbox.extend(expiresAt)
      expect(Math.abs((state.expiresAt ?? 0) - expiresAt)).toBeLessThan(60_000)
      expect(await fixture.port.condition(state)).toBe('running')
      const reopened = (await fixture.port.open(state)).state.expiresAt ?? 0
      expect(Math.abs(reopened - expiresAt)).toBeLessThan(60_000)
      await sandbox.stop()
      expect(await fixture.port.condition(state)).toBe('stopped')
      await expect(sandbox.extend(expiresAt + 60_000)).rejects.toBeInstanceOf(SandboxStoppedError)
      expect(await fixture.port.condition(state)).toBe('stopped')
      await sandbox.destroy()
      expect(await fixture.port.condition(state)).toBe('gone')
      await expect(sandbox.extend(expiresAt + 120_000)).rejects.toBeInstanceOf(SandboxGoneError)
    })

    it('rejects a sandbox name that could leave its folder', async () => {
      for (const name of ['../x', '.uids', 'a/b', ''])
        await expect(fixture.port.create({ name, timeoutMs: 1000, gitIdentity })).rejects.toThrow(TypeError)
    })
  })
}
