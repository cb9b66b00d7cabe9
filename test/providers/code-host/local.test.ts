import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalCodeHost } from '../../../providers/code-host/local/local.ts'
import { CodeHostRefusedError, type CodeHostPort } from '../../../providers/code-host/index.ts'
import { describeCodeHost, hostileBundle, run } from './contract.ts'
import { gitIdentity, limits, localDrivers } from '../sandbox/contract.ts'

let root: string
let host: CodeHostPort
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'backline-host-'))
  host = createLocalCodeHost({ root: join(root, 'repositories'), baseUrl: 'https://api.example/' })
})
afterAll(() => rm(root, { recursive: true, force: true }))

describeCodeHost('local', async (folder) => ({
  host: createLocalCodeHost({ root: join(folder, 'repositories'), baseUrl: 'https://api.example/' }),
  close: async () => {},
}))

describe('the embedded code host', () => {
  it('makes a repository with an initial commit on main', async () => {
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

  it('keeps one repository when many makers run concurrently, and leaves no draft', async () => {
    await Promise.all(Array.from({ length: 5 }, () => host.ensureRepository('contended')))
    const { commit } = await host.readTree({ owner: 'workspaces', name: 'contended' })
    await host.ensureRepository('contended')
    expect((await host.readTree({ owner: 'workspaces', name: 'contended' })).commit).toBe(commit)
    const entries = await readdir(join(root, 'repositories', 'workspaces'))
    expect(entries.filter((entry) => entry.startsWith('.'))).toEqual([])
  })

  it('reads the files of the latest commit', async () => {
    const { commit, files } = await host.readTree(await host.ensureRepository('tree'))
    expect(commit).toMatch(/^[0-9a-f]{40}$/)
    expect(files.map(({ path }) => path)).toEqual(['README.md'])
    expect(Buffer.from(files[0]?.content ?? []).toString()).toContain('tree')
  })

  it.each(['.git', '..', '.GIT', 'git~1'])('refuses a push whose tree names %j, and keeps none of it', async (path) => {
    const repository = await host.ensureRepository('attacked')
    const before = await host.findHead(repository, 'main')
    const tree = await mkdtemp(join(root, 'tree-'))
    await writeFile(join(tree, 'in.bundle'), host.bundle(repository))
    run(tree, 'clone', '--quiet', '--branch', 'main', 'in.bundle', 'clone')
    const bundle = await hostileBundle(join(tree, 'clone'), path)
    await expect(host.push(repository, 'main', Readable.from([bundle]))).rejects.toThrow(CodeHostRefusedError)
    expect(await host.findHead(repository, 'main')).toBe(before)
    const commit = run(join(tree, 'clone'), 'rev-parse', 'main')
    expect(() => run(join(root, 'repositories/workspaces/attacked.git'), 'cat-file', '-e', commit)).toThrow('cat-file')
  })

  it('deletes a repository, and one that is absent', async () => {
    const repository = await host.ensureRepository('doomed')
    await host.deleteRepository(repository)
    await host.deleteRepository(repository)
    await expect(buffer(host.bundle(repository))).rejects.toThrow('git')
  })

  it.each(['../out', '.hidden', 'a/b', 'a..b', '-rf', 'x.git', ''])('refuses the name %j', async (name) => {
    await expect(host.ensureRepository(name)).rejects.toThrow(TypeError)
    await expect(buffer(host.bundle({ owner: name, name: 'one' }))).rejects.toThrow()
  })
})

for (const driver of await localDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(`a new sandbox of ${title}`, () => {
    it('starts with the content of its repository and remembers the commit', async () => {
      const repository = await host.ensureRepository(`for-${driver.name}`)
      const port = await driver.open(join(root, driver.name))
      const options = {
        name: 'cloned',
        timeoutMs: 60_000,
        gitIdentity,
        repository: {
          cloneUrl: repository.cloneUrl,
          branch: repository.defaultBranch,
          bundle: () => host.bundle(repository),
          files: () => host.readTree(repository),
        },
      }
      const sandbox = await port.create(options)
      const { commit } = await host.readTree(repository)
      expect(sandbox.state.source).toEqual({ repo: repository.cloneUrl, branch: 'main', baseCommit: commit })
      expect((await sandbox.exec('cat README.md', limits)).output).toContain('Workspace')
      if (driver.name === 'bubblewrap') {
        const { output } = await sandbox.exec(
          'git remote get-url origin; git status --porcelain --branch; echo x > x; git add x; git commit -qm x; git log -1 --format=%ae',
          limits,
        )
        expect(output).toBe(`${repository.cloneUrl}\n## main...origin/main\n${gitIdentity.email}\n`)
      }
      await sandbox.writeFiles([{ path: 'README.md', content: 'changed' }])
      const resumed = await port.create(options)
      expect((await resumed.exec('cat README.md', limits)).output).toBe('changed')
      expect(resumed.state.source).toEqual(sandbox.state.source)
      await resumed.destroy()
    })
  })
}
