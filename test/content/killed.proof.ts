import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { whileLocked } from '../crash/table-locks.ts'
import { startSlack } from '../providers/vendors/slack.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createAgentApi, agentSettings } from './agent-api.ts'
import { createContentApi, smallClips } from './content-api.ts'

const token = 'xoxb-test'
let world: World
let slack: Awaited<ReturnType<typeof startSlack>>
let settings: Record<string, string>
beforeAll(async () => {
  slack = await startSlack(token)
  const chat = { TEAMCHAT_PROVIDER: 'slack', TEAMCHAT_TOKEN: token, TEAMCHAT_API_URL: slack.apiUrl }
  settings = { ...smallClips, ...agentSettings, ...chat }
  world = await createWorld({ worker: false, settings: { ...settings, PRICE_OVERRIDES: '{"content_video":1000}' } })
  settings = { ...settings, BASE_URL: world.config.baseUrl, API_URL: world.baseUrl }
})
afterAll(async () => {
  await world.close()
  await slack.close()
})

const { makeOwner, start, countRows, untilEnded } = createContentApi(() => world)
const { makeLinked, mention, openThread, report, untilPosted, untilState } = createAgentApi(() => world)

const startWorker = () => startWorkerProcess(world, settings)
const startHere = () => startWorkerInProcess(world, settings)

test.each(['content_runs', 'embedded_renders'])(
  'a video whose worker is killed while it waits for %s is completed by another worker, and rendered and charged once',
  async (table) => {
    await world.db`delete from embedded_renders`
    const { account, artistId } = await makeOwner()
    const doomed = await startWorker()
    const ids: string[] = []
    const accepting = table === 'content_runs' ? await start(account, { artist_account_id: artistId }) : []
    await whileLocked(world, table, async (blocked) => {
      ids.push(...(accepting.length > 0 ? accepting : await start(account, { artist_account_id: artistId })))
      await blocked
      await doomed.kill()
    })
    const survivor = await startHere()
    const [id = ''] = ids
    expect((await untilEnded(account, id)).status).toBe('COMPLETED')
    await survivor.stop()
    expect(await countRows(id)).toEqual({ renders: 1, debits: 1, holds: 0 })
    const video = await world.fetch('GET', `/media/content/${id}.mp4`)
    expect([video.status, (await video.arrayBuffer()).byteLength > 10_000]).toEqual([200, true])
  },
)

test('each post is sent once if the API is killed after a mention and a worker is killed at each post', async () => {
  const { artistId } = await makeLinked()
  const doomed = await startApiProcess(world, { settings })
  // A sweep of the worker starts the mentions that the API did not start.
  const threadId = await mention(artistId, {}, doomed.baseUrl)
  await doomed.kill()
  slack.holdNextPost()
  const workers = [await startWorker()]
  onTestFinished(async () => {
    await workers.pop()?.kill()
  })
  const listThreadPosts = () => slack.posted.filter(({ thread_ts: ts }) => threadId.endsWith(`:${ts}`))
  await eventually('the reply', async () => (listThreadPosts().length > 0 ? true : undefined))
  await workers.pop()?.kill()
  // The next worker finds the post whose response was lost by its marker.
  workers.push(await startWorker())
  await untilPosted(threadId, 1)
  slack.holdNextPost()
  await eventually('the video', async () => (listThreadPosts().length > 1 ? true : undefined))
  await workers.pop()?.kill()
  const survivor = await startHere()
  const { runIds } = await untilState(threadId, ['completed'])
  await survivor.stop()
  expect(listThreadPosts().map(({ files }) => files?.map(({ name }) => name))).toEqual([
    undefined,
    [`video-1-${runIds[0]}.mp4`],
  ])
  expect((await untilPosted(threadId, 2)).map(({ state }) => state)).toEqual(['sent', 'sent'])
})

test('a report that was stored before the API was killed is posted', async () => {
  const videoUrl = await openThread('T1:C1:reported', 'reported')
  const doomed = await startApiProcess(world, { settings })
  const results = [{ runId: 'reported', status: 'completed', videoUrl }]
  const response = await report({ threadId: 'T1:C1:reported', status: 'completed', results }, undefined, doomed.baseUrl)
  expect(response.body).toEqual({ status: 'ok' })
  await doomed.kill()
  const worker = await startHere()
  await untilState('T1:C1:reported', ['completed'])
  await worker.stop()
  expect(slack.posted.filter(({ thread_ts: ts }) => ts === 'reported')).toHaveLength(1)
})
