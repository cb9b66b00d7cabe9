import { upload } from '@vercel/blob/client'
import type { World } from '../../world/world.ts'
import { createPersonalApi } from './personal-api.ts'

type Scenario = { play: (world: World) => Promise<string> }

/** Scenarios of the personal-sandbox workflows, for the history recorder. */
export const personalScenarios: Record<string, Scenario> = {
  'setup-sandbox': {
    play: async (world) => (await createPersonalApi(world).setUp(await world.makeAccount())).id,
  },
  'setup-sandbox-cancelled': {
    play: async (world) => {
      const personalApi = createPersonalApi(world)
      const owner = await world.makeAccount()
      const { runId } = (await personalApi.setup(owner)).body
      await personalApi.untilRun(
        owner,
        runId,
        'a sandbox',
        ({ metadata }) => metadata?.['currentStep'] === 'install-tools',
      )
      await personalApi.cancel(owner, runId)
      return runId
    },
  },
  'setup-sandbox-failed': {
    play: async (world) => {
      const owner = await world.makeAccount()
      await world.db`
        insert into account_snapshots (account_id, github_repo) values (${owner.id}, 'https://elsewhere.example/a/b.git')`
      return (await createPersonalApi(world).setUp(owner)).id
    },
  },
  'commit-files': {
    play: async (world) => {
      const personalApi = createPersonalApi(world)
      const owner = await world.makeAccount()
      await personalApi.setUp(owner)
      process.env['VERCEL_BLOB_API_URL'] = `${world.baseUrl}/blob`
      const { url } = await upload('a.txt', 'recorded words', {
        access: 'public',
        handleUploadUrl: `${world.baseUrl}/api/sandboxes/staged-file`,
        headers: { 'x-api-key': owner.key },
      })
      delete process.env['VERCEL_BLOB_API_URL']
      const body = { files: [{ url, name: 'a.txt' }] }
      await world.request('POST', '/api/sandboxes/files', { key: owner.key, body })
      return (await personalApi.readRuns(owner, 'limit=1'))[0]?.id ?? ''
    },
  },
  'look-at-sandboxes': {
    play: async (world) => {
      const personalApi = createPersonalApi(world)
      const owner = await world.makeAccount()
      await personalApi.setUp(owner)
      await personalApi.list(owner)
      return `look-at-sandboxes:${owner.id}`
    },
  },
  'remove-personal-sandbox': {
    play: async (world) => {
      const personalApi = createPersonalApi(world)
      const owner = await world.makeAccount()
      await personalApi.setUp(owner)
      await personalApi.remove(owner)
      return `remove-personal:${owner.id}`
    },
  },
}
