import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalCodeHost } from '../../../providers/code-host/local/local.ts'
import type { CodeHostPort } from '../../../providers/code-host/index.ts'
import { describeCodeHost } from './contract.ts'
import { describeEmbedded } from './embedded.ts'
import { gitIdentity, limits, localDrivers } from '../sandbox/contract.ts'

let root: string
let host: CodeHostPort
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'backline-host-'))
  host = createLocalCodeHost({ root: join(root, 'repositories'), baseUrl: 'https://api.example/' })
})
afterAll(() => rm(root, { recursive: true, force: true }))

describeEmbedded('local', async (folder) => {
  const repositories = join(folder, 'repositories')
  return {
    host: createLocalCodeHost({ root: repositories, baseUrl: 'https://api.example/' }),
    close: async () => {},
    listStoredPaths: () => readdir(repositories, { recursive: true }),
  }
})

describeCodeHost('local', async (folder) => ({
  host: createLocalCodeHost({ root: join(folder, 'repositories'), baseUrl: 'https://api.example/' }),
  close: async () => {},
}))

for (const driver of await localDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(`a new sandbox of ${title}`, () => {
    it('starts with the content of its repository and records the commit', async () => {
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
