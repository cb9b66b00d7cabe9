import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GitError } from '../../../providers/code-host/git.ts'
import { CodeHostRefusedError, type CodeHostPort } from '../../../providers/code-host/index.ts'
import { createHostileBundle, runGit, type HostUnderTest } from './contract.ts'

/** Declares tests for code hosts whose repositories the API serves. `listStoredPaths` lists the paths of all stored files. */
export const describeEmbedded = (
  name: string,
  open: (folder: string) => Promise<HostUnderTest & { listStoredPaths: () => Promise<string[]> }>,
): void => {
  describe(`the embedded code host ${name}`, () => {
    let root: string
    let host: CodeHostPort
    let close: () => Promise<void>
    let listStoredPaths: () => Promise<string[]>
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'backline-host-'))
      ;({ host, close, listStoredPaths } = await open(root))
    })
    afterAll(async () => {
      await close()
      await rm(root, { recursive: true, force: true })
    })

    it('creates a repository with an initial commit on main', async () => {
      const repository = await host.ensureRepository('one')
      expect(repository).toEqual({
        owner: 'workspaces',
        name: 'one',
        cloneUrl: 'https://api.example/git/workspaces/one.git',
        defaultBranch: 'main',
      })
      const bundle = join(root, 'one.bundle')
      await writeFile(bundle, host.bundle(repository))
      execFileSync('git', ['clone', '--quiet', '--branch', 'main', bundle, join(root, 'clone')])
      expect(await readFile(join(root, 'clone', 'README.md'), 'utf8')).toContain('Workspace')
    })

    it('creates one repository for concurrent requests and leaves no temporary files', async () => {
      await Promise.all(Array.from({ length: 5 }, () => host.ensureRepository('contended')))
      const { commit } = await host.readTree({ owner: 'workspaces', name: 'contended' })
      await host.ensureRepository('contended')
      expect((await host.readTree({ owner: 'workspaces', name: 'contended' })).commit).toBe(commit)
      expect((await listStoredPaths()).filter((path) => /(^|\/)\./.test(path))).toEqual([])
    })

    it('reads the files of the latest commit', async () => {
      const { commit, files } = await host.readTree(await host.ensureRepository('tree'))
      expect(commit).toMatch(/^[0-9a-f]{40}$/)
      expect(files.map(({ path }) => path)).toEqual(['README.md'])
      expect(Buffer.from(files[0]?.content ?? []).toString()).toContain('tree')
    })

    it.each(['.git', '..', '.GIT', 'git~1'])(
      'rejects a push whose tree contains %j and stores no part of it',
      async (path) => {
        const repository = await host.ensureRepository('attacked')
        const before = [await host.findHead(repository, 'main'), (await listStoredPaths()).toSorted()]
        const tree = await mkdtemp(join(root, 'tree-'))
        await writeFile(join(tree, 'in.bundle'), host.bundle(repository))
        runGit(tree, 'clone', '--quiet', '--branch', 'main', 'in.bundle', 'clone')
        const bundle = await createHostileBundle(join(tree, 'clone'), path)
        await expect(host.push(repository, 'main', Readable.from([bundle]))).rejects.toThrow(CodeHostRefusedError)
        expect([await host.findHead(repository, 'main'), (await listStoredPaths()).toSorted()]).toEqual(before)
      },
    )

    it('deletes a repository and ignores an absent repository', async () => {
      const repository = await host.ensureRepository('doomed')
      await host.deleteRepository(repository)
      await host.deleteRepository(repository)
      await expect(buffer(host.bundle(repository))).rejects.toThrow(GitError)
    })

    it.each(['../out', '.hidden', 'a/b', 'a..b', '-rf', 'x.git', ''])(
      'rejects the repository name %j',
      async (name) => {
        await expect(host.ensureRepository(name)).rejects.toThrow(TypeError)
        await expect(buffer(host.bundle({ owner: name, name: 'one' }))).rejects.toThrow()
      },
    )
  })
}
