import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CodeHostFileTooLargeError,
  CodeHostRefusedError,
  type CodeHostPort,
  type PlainFile,
  type Repository,
  type RepositoryName,
} from '../../../providers/code-host/index.ts'

const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A Person',
  GIT_AUTHOR_EMAIL: 'person@example.com',
  GIT_COMMITTER_NAME: 'A Person',
  GIT_COMMITTER_EMAIL: 'person@example.com',
}

/** Runs git without the configuration of the machine. Returns its trimmed output. */
export const runGit = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trim()

const bytes = (text: string): Uint8Array => Buffer.from(text)

const commitIn = async (tree: string, path: string, content: string): Promise<string> => {
  await writeFile(join(tree, path), content)
  runGit(tree, 'add', '-A')
  runGit(tree, 'commit', '--quiet', '-m', `write ${path}`)
  return runGit(tree, 'rev-parse', 'HEAD')
}

const createBundle = async (tree: string, ...revisions: string[]): Promise<Uint8Array> => {
  runGit(tree, 'bundle', 'create', '--quiet', `${tree}.out`, ...revisions)
  return readFile(`${tree}.out`)
}

const toPlainFile = (path: string, text: string): PlainFile => ({ path, content: bytes(text), isExecutable: false })

export type HostUnderTest = { host: CodeHostPort; close: () => Promise<void> }

/** Declares the tests that every code host passes. */
export const describeCodeHost = (name: string, open: (folder: string) => Promise<HostUnderTest>): void => {
  describe(`the code host ${name}`, () => {
    let folder: string
    let host: CodeHostPort
    let close: () => Promise<void>
    let serial = 0
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'backline-contract-'))
      ;({ host, close } = await open(folder))
    })
    afterAll(async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    })

    const createRepository = (): Promise<Repository> => host.ensureRepository(`repository-${++serial}`)

    /** Clones the current working tree of the repository. */
    const clone = async (repository: RepositoryName): Promise<string> => {
      const tree = join(folder, `clone-${++serial}`)
      await writeFile(`${tree}.bundle`, host.bundle(repository))
      runGit(folder, 'clone', '--quiet', '--branch', 'main', `${tree}.bundle`, tree)
      return tree
    }

    const push = (repository: RepositoryName, branch: string, bundle: Uint8Array) =>
      host.push(repository, branch, Readable.from([bundle]))

    it('creates a repository with an initial commit on main only once', async () => {
      const repository = await createRepository()
      const head = await host.findHead(repository, 'main')
      expect(head).toMatch(/^[0-9a-f]{40}$/)
      expect(await host.ensureRepository(repository.name)).toEqual(repository)
      expect(await host.findHead(repository, 'main')).toBe(head)
      expect(await host.findHead(repository, 'absent')).toBeUndefined()
      expect(host.parseCloneUrl(repository.cloneUrl)).toEqual({ owner: repository.owner, name: repository.name })
      expect(host.parseCloneUrl('https://elsewhere.example/git/a/b.git')).toBeUndefined()
      expect(host.parseCloneUrl(`${repository.cloneUrl}/../x`)).toBeUndefined()
    })

    it('writes each file in one commit and reads it back', async () => {
      const repository = await createRepository()
      const before = await host.findHead(repository, 'main')
      const file = { path: 'notes/a file.txt', content: bytes('one'), message: 'Add a note' }
      const first = await host.writeFile(repository, file)
      expect(first.commit).not.toBe(before)
      expect(await host.writeFile(repository, file)).toEqual(first)
      const second = await host.writeFile(repository, {
        ...file,
        content: bytes('two'),
        message: 'Say more\n\nMuch more',
      })
      expect(second.sha).not.toBe(first.sha)
      expect(await host.findHead(repository, 'main')).toBe(second.commit)
      const content = await host.readFile(repository, 'notes/a file.txt', { maxBytes: 3 })
      expect(Buffer.from(content ?? []).toString()).toBe('two')
      const tree = await clone(repository)
      expect(runGit(tree, 'log', '--format=%s', `${String(before)}..`)).toBe('Say more\nAdd a note')
      expect(runGit(tree, 'hash-object', 'notes/a file.txt')).toBe(second.sha)
    })

    it('lists the tree with types and sizes, up to a limit', async () => {
      const repository = await createRepository()
      const { sha, commit } = await host.writeFile(repository, { path: 'a/b', content: bytes('12345'), message: 'b' })
      const { entries, truncated, ...rest } = await host.listTree(repository, { limit: 100 })
      expect({ truncated, ...rest }).toEqual({ truncated: false, commit })
      expect(entries.map(({ path, type }) => `${type} ${path}`)).toEqual(['blob README.md', 'tree a', 'blob a/b'])
      expect(entries[2]).toEqual({ path: 'a/b', type: 'blob', sha, size: 5 })
      const cut = await host.listTree(repository, { limit: 2 })
      expect(cut.entries).toHaveLength(2)
      expect(cut.truncated).toBe(true)
    })

    it('lists the commits of a repository or of one path, newest first', async () => {
      const repository = await createRepository()
      const { commit: first } = await host.writeFile(repository, { path: 'a/b', content: bytes('1'), message: 'Add b' })
      const { commit: last } = await host.writeFile(repository, {
        path: 'c',
        content: bytes('2'),
        message: 'Add c\n\nx',
      })
      const commits = await host.listCommits(repository, { limit: 2 })
      expect(commits.map(({ sha, message }) => [sha, message])).toEqual([
        [last, 'Add c'],
        [first, 'Add b'],
      ])
      expect(Math.abs(Date.parse(commits[0]?.committedAt ?? '') - Date.now())).toBeLessThan(600_000)
      const inFolder = await host.listCommits(repository, { path: 'a', limit: 10 })
      expect(inFolder.map(({ sha }) => sha)).toEqual([first])
      expect(await host.listCommits(repository, { path: '../c', limit: 10 })).toEqual([])
    })

    it('returns undefined for files that are absent, folders or too large', async () => {
      const repository = await createRepository()
      await host.writeFile(repository, { path: 'a/b', content: bytes('12345'), message: 'b' })
      expect(await host.readFile(repository, 'absent', { maxBytes: 10 })).toBeUndefined()
      expect(await host.readFile(repository, 'a', { maxBytes: 10 })).toBeUndefined()
      expect(await host.readFile({ ...repository, name: 'absent' }, 'a', { maxBytes: 10 })).toBeUndefined()
      await expect(host.readFile(repository, 'a/b', { maxBytes: 4 })).rejects.toThrow(CodeHostFileTooLargeError)
    })

    it.each(['README.md/below', '../out', 'a//b', 'x/.git/config', '.git/hooks/pre-commit', 'a', ''])(
      'rejects a write to the path %j',
      async (path) => {
        const repository = await createRepository()
        await host.writeFile(repository, { path: 'a/b', content: bytes('b'), message: 'b' })
        const before = await host.findHead(repository, 'main')
        const writing = host.writeFile(repository, { path, content: bytes('x'), message: 'x' })
        await expect(writing).rejects.toThrow(CodeHostRefusedError)
        expect(await host.findHead(repository, 'main')).toBe(before)
      },
    )

    it('keeps the files of all concurrent writers', async () => {
      const repository = await createRepository()
      const paths = ['one', 'two', 'three']
      await Promise.all(paths.map((path) => host.writeFile(repository, { path, content: bytes(path), message: path })))
      const { files } = await host.readTree(repository)
      expect(files.map(({ path }) => path).toSorted()).toEqual(['README.md', ...paths].toSorted())
    })

    it('accepts a push that continues the branch, and accepts the same push again without effect', async () => {
      const repository = await createRepository()
      const tree = await clone(repository)
      const commit = await commitIn(tree, 'new', 'new')
      const bundle = await createBundle(tree, 'main', '^origin/main')
      expect(await push(repository, 'main', bundle)).toEqual({ outcome: 'pushed', head: commit })
      expect(await push(repository, 'main', bundle)).toEqual({ outcome: 'unchanged', head: commit })
      expect(await host.findHead(repository, 'main')).toBe(commit)
    })

    it('creates a missing branch', async () => {
      const repository = await createRepository()
      const tree = await clone(repository)
      runGit(tree, 'checkout', '--quiet', '-b', 'feature/one')
      const commit = await commitIn(tree, 'new', 'new')
      const bundle = await createBundle(tree, 'feature/one', '^origin/main')
      expect(await push(repository, 'feature/one', bundle)).toEqual({ outcome: 'pushed', head: commit })
      expect(await host.findHead(repository, 'main')).not.toBe(commit)
    })

    it('changes nothing when the branch has moved', async () => {
      const repository = await createRepository()
      const tree = await clone(repository)
      await commitIn(tree, 'mine', 'mine')
      const { commit } = await host.writeFile(repository, { path: 'theirs', content: bytes('x'), message: 'x' })
      const bundle = await createBundle(tree, 'main', '^origin/main')
      expect(await push(repository, 'main', bundle)).toEqual({ outcome: 'moved', head: commit })
      expect(await host.findHead(repository, 'main')).toBe(commit)
    })

    const author = { name: 'A <b>\nPerson', email: 'a@example.com' }
    const readReadme = async (repository: RepositoryName): Promise<PlainFile> => {
      const content = await host.readFile(repository, 'README.md', { maxBytes: 1000 })
      return { path: 'README.md', content: content ?? bytes(''), isExecutable: false }
    }

    it('compares and commits the files of a sandbox without git', async () => {
      const repository = await createRepository()
      const base = String(await host.findHead(repository, 'main'))
      const files = [
        await readReadme(repository),
        toPlainFile('a/"ü" b.txt', 'x\n'),
        toPlainFile('x/.git/config', 'evil'),
        toPlainFile('../y', 'y'),
      ]
      const same = { branch: 'main', base, files: files.slice(0, 1) }
      expect((await host.compareFiles(repository, { ...same, against: base, maxPatchBytes: 1000 })).isChanged).toBe(
        false,
      )
      const commit = { branch: 'main', base, files, message: 'feat: x', author }
      const compared = await host.compareFiles(repository, { ...commit, against: 'f'.repeat(40), maxPatchBytes: 1000 })
      expect(compared).toMatchObject({ isChanged: true, base, numstat: '1\t0\ta/"ü" b.txt\0' })
      const committed = await host.commitFiles(repository, commit)
      expect(committed).toEqual({ outcome: 'pushed', head: await host.findHead(repository, 'main'), missing: [] })
      const tree = await clone(repository)
      expect(runGit(tree, 'log', '--format=%s|%an|%ae', '-1')).toBe('feat: x|A  b  Person|a@example.com')
      expect(runGit(tree, 'ls-tree', '-r', '-z', '--name-only', 'HEAD')).toBe('README.md\0a/"ü" b.txt\0')
    })

    it('merges files once with commits that the branch has received since', async () => {
      const repository = await createRepository()
      const base = String(await host.findHead(repository, 'main'))
      const readme = await readReadme(repository)
      const { commit: theirs } = await host.writeFile(repository, { path: 'theirs', content: bytes('t'), message: 't' })
      const commit = { branch: 'main', base, files: [readme, toPlainFile('mine', 'm')], message: 'feat: m', author }
      const committed = await host.commitFiles(repository, commit)
      expect(committed).toMatchObject({ outcome: 'pushed', mergedInto: theirs })
      expect(committed.missing.map(({ path, content }) => [path, Buffer.from(content ?? []).toString()])).toEqual([
        ['theirs', 't'],
      ])
      expect((await host.commitFiles(repository, commit)).head).toBe(committed.head)
      expect(await host.findHead(repository, 'main')).toBe(committed.head)
      const other = { ...commit, files: [readme, toPlainFile('theirs', 'other')] }
      expect(await host.commitFiles(repository, other)).toEqual({
        outcome: 'conflict',
        head: committed.head,
        missing: [],
      })
      expect(await host.findHead(repository, 'main')).toBe(committed.head)
    })

    it('rejects bundles that are damaged, incomplete or for another branch', async () => {
      const repository = await createRepository()
      const tree = await clone(repository)
      await commitIn(tree, 'one', 'one')
      await commitIn(tree, 'two', 'two')
      const incomplete = await createBundle(tree, 'main', '^main~1')
      const wholeBundle = Buffer.from(await createBundle(tree, 'main'))
      const before = await host.findHead(repository, 'main')
      await expect(push(repository, 'main', incomplete)).rejects.toThrow(CodeHostRefusedError)
      await expect(push(repository, 'main', wholeBundle.subarray(0, wholeBundle.length - 10))).rejects.toThrow(
        CodeHostRefusedError,
      )
      await expect(push(repository, 'main', bytes('not a bundle'))).rejects.toThrow(CodeHostRefusedError)
      await expect(push(repository, 'other', wholeBundle)).rejects.toThrow(CodeHostRefusedError)
      await expect(push(repository, '../../x', wholeBundle)).rejects.toThrow(CodeHostRefusedError)
      expect(await host.findHead(repository, 'main')).toBe(before)
    })

    it('throws the error that interrupts a bundle and stores no part of the bundle', async () => {
      const repository = await createRepository()
      const tree = await clone(repository)
      await commitIn(tree, 'one', 'one')
      const wholeBundle = await createBundle(tree, 'main')
      const before = await host.findHead(repository, 'main')
      const cut = async function* () {
        yield wholeBundle.subarray(0, 100)
        throw new Error('the sandbox went away')
      }
      await expect(host.push(repository, 'main', cut())).rejects.toThrow('the sandbox went away')
      expect(await host.findHead(repository, 'main')).toBe(before)
    })
  })
}

/** Creates a bundle whose tree has a path outside a working tree or a path that controls git. */
export const createHostileBundle = async (tree: string, path: string): Promise<Uint8Array> => {
  await writeFile(join(tree, 'payload'), 'payload')
  const blob = runGit(tree, 'hash-object', '-w', 'payload')
  const hash = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
    cwd: tree,
    env: environment,
    input: Buffer.concat([Buffer.from(`100644 ${path}\0`), Buffer.from(blob, 'hex')]),
  })
  const commit = runGit(tree, 'commit-tree', hash.toString().trim(), '-p', 'HEAD', '-m', 'hostile')
  runGit(tree, 'update-ref', 'refs/heads/main', commit)
  runGit(tree, 'bundle', 'create', '--quiet', `${tree}.hostile`, 'main')
  return readFile(`${tree}.hostile`)
}
