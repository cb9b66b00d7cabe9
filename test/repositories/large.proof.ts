import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pushBranch } from '../../activities/repositories/push.ts'
import { commitWorkTree } from '../../activities/repositories/work-tree.ts'
import { createLocalCodeHost } from '../../providers/code-host/local/local.ts'
import type { CodeHostPort, Repository } from '../../providers/code-host/index.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import { gitIdentity, localDrivers } from '../providers/sandbox/contract.ts'
import { isFullScale, scaled } from '../cost/scale.ts'

const mebibyte = 1024 * 1024
const maxBytes = 100 * mebibyte
/** Number of versions of the file. With `PROOF_SCALE=full`, the repository has 2 GB, which takes minutes. */
const versions = scaled(1, 10)
/** Exceeds the memory, so that no process can contain a version of the file. */
const fileBytes = (isFullScale ? 205 : 105) * mebibyte
const timeoutMs = 900_000
const signal = AbortSignal.timeout(timeoutMs)
/** Interval between two samples. Shorter peaks are ignored. */
const sampleMs = 100
/** Number of samples between two garbage collections. Uncollected garbage counts as memory. */
const samplesPerCollection = 8
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const bubblewrap = (await localDrivers()).find(({ name }) => name === 'bubblewrap')

let root: string
let host: CodeHostPort
beforeAll(async () => {
  // Files in a memory file system would count as memory of the process that maps them.
  root = await mkdtemp('/var/tmp/backline-large-')
  host = createLocalCodeHost({ root: join(root, 'repositories'), baseUrl: 'https://api.example' })
})
afterAll(() => rm(root, { recursive: true, force: true }))

const noise = randomBytes(mebibyte)

/** Generates incompressible content: each megabyte is noise that begins with its position. */
async function* generateHistory(): AsyncGenerator<Buffer> {
  for (let file = 0; file < versions; file++) {
    yield Buffer.from(`commit refs/heads/main\ncommitter A <a@b.c> ${file} +0000\ndata 1\nx\n`)
    yield Buffer.from(`${file === 0 ? 'from refs/heads/main^0\n' : ''}M 100644 inline large\ndata ${fileBytes}\n`)
    for (let at = 0; at < fileBytes / mebibyte; at++) {
      const piece = Buffer.from(noise)
      piece.writeUInt32LE(file * 1000 + at)
      yield piece
    }
    yield Buffer.from('\n')
  }
}

/** Commits a file whose versions have no common content. */
const commitVersions = async (repository: Repository): Promise<void> => {
  const directory = join(root, 'repositories', repository.owner, `${repository.name}.git`)
  const settings = ['-c', 'safe.directory=*', '-c', 'core.compression=0', '-c', 'core.bigFileThreshold=1m']
  const child = spawn('git', ['--git-dir', directory, ...settings, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const exit = once(child, 'close')
  await pipeline(generateHistory(), child.stdin)
  expect(await exit).toEqual([0, null])
}

type Memory = { pid: string; parent: string; name: string; bytes: number }

const readMemory = async (pid: string): Promise<Memory | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const readValue = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? ''
  // Memory mapped from files is not counted: the system reclaims it when needed.
  const bytes = (Number(readValue('RssAnon')) + Number(readValue('RssShmem'))) * 1024
  return status === '' ? undefined : { pid, parent: readValue('PPid'), name: readValue('Name'), bytes }
}

/** Measures the peak memory of this process and of its git processes outside sandboxes, by process name. */
const measurePeaks = async (work: () => Promise<void>): Promise<Map<string, number>> => {
  const ownPid = String(process.pid)
  collectGarbage()
  const before = (await readMemory(ownPid))?.bytes ?? 0
  const peaks = new Map<string, number>()
  const recordPeak = (name: string, bytes: number): void => void peaks.set(name, Math.max(peaks.get(name) ?? 0, bytes))
  const workEnded = new AbortController()
  const sampleMemory = async (): Promise<void> => {
    for (let sampleCount = 0; !workEnded.signal.aborted; sampleCount++) {
      if (sampleCount % samplesPerCollection === 0) collectGarbage()
      const all = (
        await Promise.all((await readdir('/proc')).filter((pid) => /^\d+$/.test(pid)).map(readMemory))
      ).filter((process) => process !== undefined)
      const byPid = new Map(all.map((sample) => [sample.pid, sample]))
      const isGitOfTest = ({ parent, name }: Memory): boolean =>
        name.startsWith('git') && (parent === ownPid || (byPid.has(parent) && isGitOfTest(byPid.get(parent) as Memory)))
      for (const sample of all) {
        if (sample.pid === ownPid) recordPeak('this process', sample.bytes - before)
        else if (isGitOfTest(sample)) recordPeak(sample.name, sample.bytes)
      }
      await pause(sampleMs)
    }
  }
  const sampling = sampleMemory()
  try {
    await work()
  } finally {
    workEnded.abort()
    await sampling
  }
  return peaks
}

describe.skipIf(bubblewrap?.available !== true)('a repository with files larger than the memory limit', () => {
  it('is cloned, committed and pushed in 100 MB of memory', { timeout: timeoutMs }, async () => {
    const repository = await host.ensureRepository('large')
    await commitVersions(repository)
    const port = await bubblewrap?.open(join(root, 'sandboxes'))
    let sandbox: Sandbox | undefined
    const run = async (command: string): Promise<string> =>
      (await sandbox?.exec(command, { timeoutMs: 120_000, maxOutputBytes: 100_000 }))?.output ?? ''
    const cloning = await measurePeaks(async () => {
      sandbox = await port?.create({
        name: 'large',
        timeoutMs: 600_000,
        gitIdentity,
        repository: {
          cloneUrl: repository.cloneUrl,
          branch: 'main',
          bundle: (known) => host.bundle(repository, known),
          files: () => host.readTree(repository),
        },
      })
    })
    if (sandbox === undefined) throw new Error('the sandbox was not created')
    const tree = sandbox
    expect(Number(await run('du -sm .git | cut -f1'))).toBeGreaterThan(versions * (fileBytes / mebibyte - 5))
    // Commits directly, because a busy machine exceeds the product's time limit for a commit.
    await run('head -c 105M /dev/urandom > mine && git add --all && git commit --quiet -m mine')
    const pushing = await measurePeaks(async () => {
      const committed = await commitWorkTree(tree, {
        branch: 'main',
        message: 'feat: mine',
        author: gitIdentity,
        signal,
      })
      const pushed = await pushBranch(
        { codeHost: host, repository, sandbox: tree },
        { branch: 'main', author: gitIdentity, signal },
      )
      expect(committed).toEqual({ commit: expect.any(String), leftOut: { count: 0, paths: [] } })
      expect(pushed).toEqual({ pushed: true, head: 'commit' in committed && committed.commit, isNew: false })
    })
    // The remote has moved: files of both sides are retained.
    const otherChange = { path: 'theirs', content: Buffer.from('theirs'), message: 'Theirs' }
    const { commit } = await host.writeFile(repository, otherChange)
    await run('echo more > more')
    const rebasing = await measurePeaks(async () => {
      await commitWorkTree(tree, { branch: 'main', message: 'feat: more', author: gitIdentity, signal })
      const pushed = await pushBranch(
        { codeHost: host, repository, sandbox: tree },
        { branch: 'main', author: gitIdentity, signal },
      )
      expect(pushed).toMatchObject({ pushed: true, rebasedOnto: commit })
    })
    expect(await run('cat theirs more; git status --porcelain; ls -A ~')).toBe('theirsmore\n')
    for (const peaks of [cloning, pushing, rebasing])
      for (const [name, bytes] of peaks) expect(bytes, name).toBeLessThan(maxBytes)
    expect([...cloning.keys(), ...pushing.keys()]).toContain('git')
    await tree.destroy()
  })
})
