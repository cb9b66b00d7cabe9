import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSourceRepository } from '../../../db/sandboxes/snapshots.ts'
import { personalRepositoryName, setupSteps } from '../../../domain/sandboxes/personal.ts'
import { selectDrivers, findDefaultDriver } from '../../providers/sandbox/contract.ts'
import { createWorld, type World } from '../../world/world.ts'
import { listLogs, listPaths, createPersonalApi } from './personal-api.ts'

const defaultDriver = await findDefaultDriver()

for (const driver of await selectDrivers()) {
  const title = driver.available ? driver.name : `${driver.name} (skipped: ${driver.reason})`
  describe.skipIf(!driver.available)(`a setup in a sandbox of ${title}`, { timeout: 400_000 }, () => {
    const withGit = driver.name === 'bubblewrap'
    let world: World
    let personalApi: ReturnType<typeof createPersonalApi>
    beforeAll(async () => {
      world = await createWorld({ settings: { SANDBOX_PROVIDER: driver.name } })
      personalApi = createPersonalApi(world)
    })
    afterAll(() => world.close())

    it('creates the source repository, commits to it, and leaves a snapshot and a stopped sandbox', async () => {
      const owner = await world.makeAccount()
      const run = await personalApi.setUp(owner)
      expect(run).toMatchObject({
        status: 'COMPLETED',
        taskIdentifier: 'setup-sandbox',
        tags: [`account:${owner.id}`],
        payload: { accountId: owner.id },
        error: null,
        finishedAt: expect.any(String),
        attempts: [{ status: 'COMPLETED', id: expect.stringMatching(/^attempt_/) }],
      })
      expect(listLogs(run).map(({ step }) => step)).toEqual(setupSteps)
      expect(listLogs(run).map(({ status }) => status)).not.toContain('failed')
      const { body } = await personalApi.list(owner)
      expect(run.output).toEqual({ githubRepo: body.github_repo, snapshotId: body.snapshot_id })
      expect(body.github_repo).toMatch(new RegExp(`/git/workspaces/personal-${owner.id}\\.git$`))
      expect(body.sandboxes).toEqual([
        {
          sandboxId: expect.stringMatching(/^personal-/),
          sandboxStatus: 'stopped',
          timeout: 1_200_000,
          createdAt: expect.any(String),
        },
      ])
      expect(listPaths(body.filetree)).toEqual(['README.md', 'artists', 'artists/.gitkeep', 'orgs', 'orgs/.gitkeep'])
      expect((await personalApi.readFile(owner, 'README.md')).body.content).toContain('Workspace')
    })

    it('when repeated, starts from the snapshot, replaces it and leaves one sandbox', async () => {
      const owner = await world.makeAccount()
      const first = await personalApi.setUp(owner)
      const source = { owner: 'workspaces', name: personalRepositoryName(owner.id) }
      const file = { path: 'meanwhile.txt', content: Buffer.from('x'), message: 'Meanwhile' }
      await world.deps.codeHost.writeFile(source, file)
      const second = await personalApi.setUp(owner)
      expect(second.status).toBe('COMPLETED')
      expect(listLogs(second)[0]?.message).toBe('A sandbox from the snapshot of the account')
      expect(listLogs(second).find(({ step }) => step === 'commit')).toMatchObject({ status: 'skipped' })
      const { body } = await personalApi.list(owner)
      expect(body.snapshot_id).not.toBe((first.output as { snapshotId: string }).snapshotId)
      expect(body.sandboxes).toHaveLength(1)
      expect(listPaths(body.filetree)).toContain('meanwhile.txt')
      expect(listLogs(second).map(({ status }) => status)).not.toContain('failed')
    })

    it('adds the repositories of organizations as submodules, whose files can be read', async () => {
      const organization = await world.makeOrganization()
      const owner = await world.makeAccount({ organizationId: organization.id })
      const run = await personalApi.setUp(owner)
      expect(run.status).toBe('COMPLETED')
      const { filetree } = (await personalApi.list(owner)).body
      const folder = `orgs/${organization.id}`
      if (!withGit) {
        expect(listLogs(run).find(({ step }) => step === 'organizations')).toMatchObject({ status: 'skipped' })
        return
      }
      expect(listPaths(filetree)).toEqual(['.gitmodules', 'README.md', 'orgs', folder, `${folder}/README.md`])
      expect(filetree?.find(({ path }) => path === folder)?.type).toBe('tree')
      expect((await personalApi.readFile(owner, `${folder}/README.md`)).body.content).toContain(organization.id)
      const repeated = await personalApi.setUp(owner)
      expect(listLogs(repeated).map(({ status }) => status)).not.toContain('failed')
      expect(listPaths((await personalApi.list(owner)).body.filetree)).toEqual(listPaths(filetree))
    })

    // The remaining tests do not depend on the driver.
    if (driver.name !== defaultDriver?.name) return

    it('fails if a required step fails, names the step and stops the sandbox', async () => {
      const owner = await world.makeAccount()
      await recordSourceRepository(world.db, owner.id, 'https://elsewhere.example/a/b.git')
      const run = await personalApi.setUp(owner)
      const error = { name: 'StepFailed', message: 'The step clone failed', stackTrace: '' }
      expect(run).toMatchObject({ status: 'FAILED', error })
      const failed = { status: 'FAILED', error }
      expect(run.attempts).toMatchObject([failed, failed, failed, { status: 'FAILED', error }])
      expect(listLogs(run).slice(-2)).toMatchObject([
        { step: 'clone', status: 'failed', message: 'The step failed at every attempt' },
        { step: 'stop-sandbox', status: 'done' },
      ])
      const { body } = await personalApi.list(owner)
      expect(body).toMatchObject({ sandboxes: [{ sandboxStatus: 'stopped' }], snapshot_id: null, filetree: null })
    })

    it('starts without the snapshot if it has expired or is missing', async () => {
      const owner = await world.makeAccount()
      await personalApi.setUp(owner)
      await world.db`update account_snapshots set expires_at = now() - interval '1 second' where account_id = ${owner.id}`
      expect(listLogs(await personalApi.setUp(owner))[0]?.message).toBe('A new sandbox')
      await world.db`update account_snapshots set snapshot_id = 'snap-of-another-time' where account_id = ${owner.id}`
      const run = await personalApi.setUp(owner)
      expect(run.status).toBe('COMPLETED')
      expect(listLogs(run)[0]?.message).toBe('A new sandbox, because the snapshot no longer exists')
    })
  })
}
