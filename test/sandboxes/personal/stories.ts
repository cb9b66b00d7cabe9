import { upload } from '@vercel/blob/client'
import type { World } from '../../world/world.ts'
import { personalOn } from './personal.ts'

type Told = { story: (world: World) => Promise<string> }

/** Every path of the workflows of personal sandboxes, for the recorder of histories. */
export const personalStories: Record<string, Told> = {
  'setup-sandbox': {
    story: async (world) => (await personalOn(world).setUp(await world.makeAccount())).id,
  },
  'setup-sandbox-cancelled': {
    story: async (world) => {
      const act = personalOn(world)
      const owner = await world.makeAccount()
      const { runId } = (await act.setup(owner)).body
      await act.untilRun(owner, runId, 'a sandbox', ({ metadata }) => metadata?.['currentStep'] === 'install-tools')
      await act.cancel(owner, runId)
      return runId
    },
  },
  'setup-sandbox-failed': {
    story: async (world) => {
      const owner = await world.makeAccount()
      await world.db`
        insert into account_snapshots (account_id, github_repo) values (${owner.id}, 'https://elsewhere.example/a/b.git')`
      return (await personalOn(world).setUp(owner)).id
    },
  },
  'commit-files': {
    story: async (world) => {
      const act = personalOn(world)
      const owner = await world.makeAccount()
      await act.setUp(owner)
      process.env['VERCEL_BLOB_API_URL'] = `${world.baseUrl}/blob`
      const { url } = await upload('a.txt', 'recorded words', {
        access: 'public',
        handleUploadUrl: `${world.baseUrl}/api/sandboxes/staged-file`,
        headers: { 'x-api-key': owner.key },
      })
      delete process.env['VERCEL_BLOB_API_URL']
      const body = { files: [{ url, name: 'a.txt' }] }
      await world.request('POST', '/api/sandboxes/files', { key: owner.key, body })
      return (await act.readRuns(owner, 'limit=1'))[0]?.id ?? ''
    },
  },
  'look-at-sandboxes': {
    story: async (world) => {
      const act = personalOn(world)
      const owner = await world.makeAccount()
      await act.setUp(owner)
      await act.list(owner)
      return `look-at-sandboxes:${owner.id}`
    },
  },
  'remove-personal-sandbox': {
    story: async (world) => {
      const act = personalOn(world)
      const owner = await world.makeAccount()
      await act.setUp(owner)
      await act.remove(owner)
      return `remove-personal:${owner.id}`
    },
  },
}
