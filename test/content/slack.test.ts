import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSlack } from '../providers/vendors/slack.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createAgentApi, agentSettings } from './agent-api.ts'
import { smallClips } from './content-api.ts'

const token = 'xoxb-test'

let slack: Awaited<ReturnType<typeof startSlack>>
let world: World
let artistId: string
beforeAll(async () => {
  slack = await startSlack(token)
  const settings = { TEAMCHAT_PROVIDER: 'slack', TEAMCHAT_TOKEN: token, TEAMCHAT_API_URL: slack.apiUrl }
  world = await createWorld({ settings: { ...smallClips, ...agentSettings, ...settings } })
  ;({ artistId } = await makeLinked())
})
afterAll(async () => {
  await world.close()
  await slack.close()
})

const { makeLinked, mention, openThread, report, untilPosted, untilState } = createAgentApi(() => world)

test('a mention posts the video to its Slack thread', async () => {
  const threadId = await mention(artistId)
  const { runIds } = await untilState(threadId, ['running'])
  await untilState(threadId, ['completed'])
  const [reply, video] = slack.posted
  expect(slack.posted).toHaveLength(2)
  expect(reply?.text).toContain('Creating a video for Nova Quartet')
  expect(threadId).toBe(`T1:C1:${video?.thread_ts}`)
  const [file] = video?.files ?? []
  expect(file?.name).toBe(`video-1-${runIds[0]}.mp4`)
  const stored = await world.fetch('GET', `/media/content/${runIds[0]}.mp4`)
  expect(file?.bytes.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true)
})

test('the URL of the video is posted if Slack rejects the file, and posting is retried while Slack is down', async () => {
  slack.refuseNext('files.completeUploadExternal', 'file_upload_size_restricted')
  slack.failNext('files.getUploadURLExternal', 503)
  const videoUrl = await openThread('T1:C1:refused', 'refused')
  const results = [{ runId: 'refused', status: 'completed', videoUrl, captionText: 'look' }]
  await report({ threadId: 'T1:C1:refused', status: 'completed', results })
  await untilState('T1:C1:refused', ['completed'])
  expect(slack.posted.filter(({ thread_ts: ts }) => ts === 'refused').map(({ text }) => text)).toEqual([
    `look\n${videoUrl}`,
  ])
})

test('a post with an unknown outcome is not repeated, and is stored as in_doubt', async () => {
  slack.holdNextPost()
  slack.refuseNext('conversations.replies', 'missing_scope')
  const threadId = await mention('hello')
  await eventually('the post without a response', async () =>
    slack.posted.at(-1)?.text.includes('Mention me') ? true : undefined,
  )
  slack.cut()
  expect((await untilPosted(threadId, 1)).map(({ state }) => state)).toEqual(['in_doubt'])
  expect(slack.posted.filter(({ thread_ts }) => threadId.endsWith(thread_ts))).toHaveLength(1)
})
