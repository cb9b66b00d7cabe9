import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../config.ts'
import { saveWorkspace } from '../../../db/sandboxes/sandboxes.ts'
import {
  CodeHostFullError,
  CodeHostUnavailableError,
  type CodeHostPort,
  type RepositoryName,
} from '../../../providers/code-host/index.ts'
import { makePerson } from '../../world/people.ts'
import { openRepositoryStore } from '../../world/repositories/code-host.ts'
import { scaled } from '../../cost/scale.ts'
import { describeCodeHost, runGit } from './contract.ts'
import { describeEmbedded } from './embedded.ts'

describeCodeHost('store', async (folder) => {
  const { openMachine, close } = await openRepositoryStore()
  return { host: openMachine(folder), close }
})

describeEmbedded('store', async (folder) => {
  const { openMachine, s3, close } = await openRepositoryStore()
  return { host: openMachine(folder), close, listStoredPaths: async () => [...s3.objects.keys()] }
})

let store: Awaited<ReturnType<typeof openRepositoryStore>>
let folder: string
let first: CodeHostPort
let second: CodeHostPort
let repository: RepositoryName
let serial = 0
beforeAll(async () => {
  store = await openRepositoryStore()
  folder = await mkdtemp(join(tmpdir(), 'backline-store-'))
  first = store.openMachine(join(folder, 'first'))
  second = store.openMachine(join(folder, 'second'))
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  repository = await first.ensureRepository(`repository-${++serial}`)
})

const write = (host: CodeHostPort, path: string, content: string | Uint8Array = path) =>
  host.writeFile(repository, { path, content: Buffer.from(content), message: `Write ${path}` })

const listPaths = async (host: CodeHostPort): Promise<string[]> =>
  (await host.readTree(repository)).files.map(({ path }) => path).filter((path) => path !== 'README.md')

const listNumbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Creates a bundle with a new commit on a branch of the repository. */
const makeBundle = async (host: CodeHostPort, branch = 'main'): Promise<{ commit: string; bundle: Uint8Array }> => {
  const tree = await mkdtemp(join(folder, 'tree-'))
  await writeFile(join(tree, 'in'), host.bundle(repository))
  runGit(tree, 'clone', '--quiet', '--branch', 'main', 'in', 'clone')
  const clone = join(tree, 'clone')
  await writeFile(join(clone, `file-${++serial}`), 'content')
  runGit(clone, 'checkout', '--quiet', '-B', branch)
  runGit(clone, 'add', '-A')
  runGit(clone, 'commit', '--quiet', '-m', 'A file')
  runGit(clone, 'bundle', 'create', '--quiet', '../out', branch)
  return { commit: runGit(clone, 'rev-parse', 'HEAD'), bundle: await readFile(join(tree, 'out')) }
}

const listPacks = () => store.db<{ state: string; bytes: number }[]>`
  select state, pack_bytes as bytes from git_packs
  where repository_id = (select id from git_repositories where name = ${repository.name})`

const countLive = async (): Promise<number> => (await listPacks()).filter(({ state }) => state === 'live').length

/** Ages replaced packs beyond their grace period. */
const expireGracePeriod = () =>
  store.db`update git_packs set state_at = state_at - interval '25 hours' where state <> 'live'`

describe('two machines with a shared store', () => {
  it("read each other's commits and lose no commit of concurrent writers", async () => {
    const paths = listNumbers(12).map((number) => `file-${number}`)
    const written = await Promise.all(paths.map((path, index) => write(index % 2 === 0 ? first : second, path)))
    expect((await listPaths(second)).toSorted()).toEqual(paths.toSorted())
    const commits = await first.listCommits(repository, { limit: 100 })
    expect(commits.map(({ sha }) => sha)).toEqual(expect.arrayContaining(written.map(({ commit }) => commit)))
    expect(commits).toHaveLength(paths.length + 1)
  })

  it('accept one of two pushes from the same commit and reject the other because the branch has moved', async () => {
    const [firstBundle, secondBundle] = [await makeBundle(first), await makeBundle(second)]
    const outcomes = await Promise.all([
      first.push(repository, 'main', Readable.from([firstBundle.bundle])),
      second.push(repository, 'main', Readable.from([secondBundle.bundle])),
    ])
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['moved', 'pushed'])
    const head = await first.findHead(repository, 'main')
    expect(outcomes.map((outcome) => outcome.head)).toEqual([head, head])
  })

  it('reject a branch whose name extends the path of another branch', async () => {
    const [outer, inner] = [await makeBundle(first, 'a'), await makeBundle(second, 'a/b')]
    const outcomes = await Promise.allSettled([
      first.push(repository, 'a', Readable.from([outer.bundle])),
      second.push(repository, 'a/b', Readable.from([inner.bundle])),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const heads = [await first.findHead(repository, 'a'), await first.findHead(repository, 'a/b')]
    expect(heads.filter((head) => head !== undefined)).toHaveLength(1)
    await write(first, 'after')
  })
})

describe('the copies of repositories on a machine', () => {
  it('can be deleted at any time without loss and without interrupting writes', async () => {
    const paths = listNumbers(scaled(6, 12)).map((number) => `file-${number}`)
    const writesEnded = new AbortController()
    const deletion = (async () => {
      // The deletion fails if a file is created during the deletion.
      while (!writesEnded.signal.aborted)
        await rm(join(folder, 'first', 'cache'), { recursive: true, force: true })
          .catch(() => {})
          .then(() => pause(20))
    })()
    try {
      for (const path of paths) {
        await write(first, path)
        expect(await listPaths(first)).toContain(path)
      }
    } finally {
      writesEnded.abort()
      await deletion
    }
    await rm(join(folder, 'first'), { recursive: true, force: true })
    expect((await listPaths(first)).toSorted()).toEqual(paths.toSorted())
    expect((await listPaths(store.openMachine(join(folder, 'new')))).toSorted()).toEqual(paths.toSorted())
  })

  it('use no more space than their limit', async () => {
    const root = join(folder, 'bounded')
    const host = store.openMachine(root, { maxCacheBytes: 200_000 })
    const measure = async (): Promise<number> => {
      const files = (await readdir(join(root, 'cache'), { recursive: true })).filter((file) => file.endsWith('.pack'))
      const sizes = await Promise.all(files.map(async (file) => (await stat(join(root, 'cache', file))).size))
      return sizes.reduce((sum, size) => sum + size, 0)
    }
    for (const number of listNumbers(4)) await write(host, `noise-${number}`, randomBytes(60_000))
    expect(await measure()).toBeGreaterThan(200_000)
    await host.tidy?.()
    expect(await measure()).toBeLessThanOrEqual(200_000)
    expect(await readdir(join(root, 'views'))).toEqual([])
    expect(await listPaths(host)).toHaveLength(4)
  })

  it('cannot be created from a damaged pack', async () => {
    await write(first, 'good')
    const [{ id } = { id: '' }] = await store.db<{ id: string }[]>`
      select id from git_repositories where name = ${repository.name}`
    for (const [key, object] of store.s3.objects) {
      const damaged = Buffer.from(object.bytes)
      damaged[20] = 255 - (damaged[20] ?? 0)
      if (key.startsWith(`repositories/${id}/`)) store.s3.objects.set(key, { ...object, bytes: damaged })
    }
    const host = store.openMachine(join(folder, 'damaged'))
    await expect(host.readTree(repository)).rejects.toThrow(CodeHostUnavailableError)
  })
})

describe('a store that fails', () => {
  it('during a push fails the push without changing a ref, and the push can be repeated', async () => {
    const { commit, bundle } = await makeBundle(first)
    const before = await first.findHead(repository, 'main')
    let isFailing = true
    const objects: typeof store.objects = {
      ...store.objects,
      put: async (name, file) => {
        // The response is lost after the store has the object.
        await store.objects.put(name, file)
        if (isFailing) throw new Error('connect ECONNREFUSED')
      },
    }
    const host = store.openMachine(join(folder, 'failing'), { objects })
    await expect(host.push(repository, 'main', Readable.from([bundle]))).rejects.toThrow(CodeHostUnavailableError)
    await expect(write(host, 'file')).rejects.toThrow(CodeHostUnavailableError)
    await expect(host.ensureRepository('not-made')).rejects.toThrow(CodeHostUnavailableError)
    expect(await second.findHead(repository, 'main')).toBe(before)
    isFailing = false
    expect(await host.push(repository, 'main', Readable.from([bundle]))).toEqual({ outcome: 'pushed', head: commit })
    expect(await second.findHead(repository, 'main')).toBe(commit)
    await expireGracePeriod()
    await first.maintain?.()
    expect(store.s3.objects.size).toBe((await store.db`select 1 from git_packs`).length)
  })
})

describe('maintenance', () => {
  it('combines many small packs, keeps every object and deletes replaced packs after a grace period', async () => {
    // Maintenance combines at least 16 packs.
    const count = scaled(20, 40)
    for (const number of listNumbers(count)) await write(first, `file-${number}`)
    expect(await countLive()).toBe(count + 1)
    const objects = store.s3.objects.size
    await first.maintain?.()
    expect(await countLive()).toBeLessThan(10)
    expect(store.s3.objects.size).toBeGreaterThan(objects)
    expect(await listPaths(second)).toHaveLength(count)
    await expireGracePeriod()
    await first.maintain?.()
    expect(store.s3.objects.size).toBe((await store.db`select 1 from git_packs`).length)
    const host = store.openMachine(join(folder, 'compacted'))
    expect(await listPaths(host)).toHaveLength(count)
    expect(await host.listCommits(repository, { limit: 100 })).toHaveLength(count + 1)
  })

  it('does not interrupt pushes, even if two machines start it concurrently', async () => {
    const count = scaled(16, 20)
    for (const number of listNumbers(count)) await write(first, `file-${number}`)
    const laterPaths = listNumbers(scaled(8, 20)).map((number) => `more-${number}`)
    const writing = (async () => {
      for (const path of laterPaths) await write(second, path)
    })()
    await Promise.all([writing, first.maintain?.(), second.maintain?.(), first.maintain?.()])
    expect(await listPaths(store.openMachine(join(folder, 'third')))).toHaveLength(count + laterPaths.length)
    await expireGracePeriod()
    await first.maintain?.()
    expect(await listPaths(store.openMachine(join(folder, 'fourth')))).toHaveLength(count + laterPaths.length)
  })

  it('deletes the repositories of a deleted account', async () => {
    const { id } = await makePerson(store.db, 'a secret of the tests that is long enough', { credits: 0 })
    const { owner, name, cloneUrl } = await first.ensureRepository(id)
    await saveWorkspace(store.db, id, { repoOwner: owner, repoName: name, cloneUrl })
    const source = await first.ensureRepository(`${id}-source`)
    await store.db`
      insert into account_snapshots (account_id, github_repo) values (${id}, ${source.cloneUrl})`
    const listObjects = () => [...store.s3.objects.keys()]
    const before = listObjects().length
    await store.db`delete from accounts where id = ${id}`
    expect(await first.findHead({ owner, name }, 'main')).toBeUndefined()
    expect(await first.findHead(source, 'main')).toBeUndefined()
    await first.maintain?.()
    expect(listObjects()).toHaveLength(before - 2)
    expect(await first.findHead(repository, 'main')).toBeDefined()
  })
})

it('a repository accepts no push beyond its maximum size', async () => {
  const host = store.openMachine(join(folder, 'sized'), { maxRepositoryBytes: 300_000 })
  await write(host, 'one', randomBytes(100_000))
  await write(host, 'two', randomBytes(100_000))
  await expect(write(host, 'three', randomBytes(100_000))).rejects.toThrow(CodeHostFullError)
  expect(await listPaths(host)).toEqual(['one', 'two'])
})

describe('the setting CODE_HOST', () => {
  it('defaults to `store` if an object store is set, and rejects `store` without one', () => {
    const s3 = { BLOB_STORE: 's3', BLOB_S3_BUCKET: 'a' }
    expect(loadConfig({}).CODE_HOST).toBe('local')
    expect(loadConfig(s3).CODE_HOST).toBe('store')
    expect(loadConfig({ ...s3, CODE_HOST: 'local' }).CODE_HOST).toBe('local')
    expect(() => loadConfig({ CODE_HOST: 'store' })).toThrow('CODE_HOST=store requires BLOB_STORE=s3.')
  })
})
