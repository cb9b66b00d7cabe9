import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { World, WorldOptions } from '../world/world.ts'
import { createAgentApi, agentSettings } from './agent-api.ts'
import { createContentApi, smallClips } from './content-api.ts'

type Scenario = { options?: WorldOptions; play: (world: World) => Promise<string> }

const settings = { ...smallClips, ...agentSettings }

const createScenario =
  (body: object = {}, before: (world: World) => Promise<void> = async () => {}): Scenario['play'] =>
  async (world) => {
    const { makeOwner, start, untilEnded } = createContentApi(() => world)
    await before(world)
    const { account, artistId } = await makeOwner()
    const [runId = ''] = await start(account, { artist_account_id: artistId, caption_length: 'short', ...body })
    await untilEnded(account, runId)
    return runId
  }

/** Creates a file at the path of a folder, so that images and videos cannot be stored. */
const blockStore = async (world: World): Promise<void> => {
  const folder = join(world.config.DATA_DIR, 'media')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'content'), '')
}

/** Creates a folder at the path of a video during its render, so that the video cannot be stored. */
const blockVideo: Scenario['play'] = async (world) => {
  const { makeOwner, start, untilEnded, untilRendering } = createContentApi(() => world)
  const { account, artistId } = await makeOwner()
  const [runId = ''] = await start(account, { artist_account_id: artistId })
  await untilRendering(account, runId)
  await mkdir(join(world.config.DATA_DIR, 'media', 'content', `${runId}.mp4`, 'taken'), { recursive: true })
  await untilEnded(account, runId)
  return runId
}

const cancelVideo: Scenario['play'] = async (world) => {
  const { cancel, makeOwner, start, untilEnded, untilRendering } = createContentApi(() => world)
  const { account, artistId } = await makeOwner()
  const [runId = ''] = await start(account, { artist_account_id: artistId })
  await untilRendering(account, runId)
  await cancel(account, runId)
  await untilEnded(account, runId)
  return runId
}

/** Creates a batch of two videos, one of which waits for a slot. */
const createBatch: Scenario['play'] = async (world) => {
  const { makeOwner, start, untilEnded } = createContentApi(() => world)
  const { account, artistId } = await makeOwner()
  const runIds = await start(account, { artist_account_id: artistId, batch: 2 })
  for (const id of runIds) await untilEnded(account, id)
  const [row] = await world.db<{ id: string }[]>`
    select id from background_runs where task_identifier = 'create-content' order by started_at desc limit 1`
  return row?.id ?? ''
}

const mentionScenario =
  (selectId: (thread: { threadId: string; pollRunId: string; eventId: string }) => string): Scenario['play'] =>
  async (world) => {
    const { makeLinked, mention, untilPosted, untilState } = createAgentApi(() => world)
    const { artistId } = await makeLinked()
    const threadId = await mention(artistId)
    const { pollRunId } = await untilState(threadId, ['completed'])
    await untilPosted(threadId, 2)
    const [event] = await world.db<{ eventId: string }[]>`
      select event_id from chat_platform_events where thread_id = ${threadId}`
    return selectId({ threadId, pollRunId, eventId: event?.eventId ?? '' })
  }

/** Every path of a video and of the content agent, for the history recorder. */
export const contentScenarios: Record<string, Scenario> = {
  'create-content': { options: { settings }, play: createScenario() },
  'create-content-missing': { options: { settings }, play: createScenario({ songs: ['another.mp3'] }) },
  'create-content-failed': {
    options: { settings: { ...settings, RENDER_SECONDS: '1', CLIP_SECONDS: '60' } },
    play: createScenario(),
  },
  'create-content-no-store': { options: { settings }, play: createScenario({}, blockStore) },
  'create-content-not-stored': { options: { settings: { ...settings, CLIP_SECONDS: '10' } }, play: blockVideo },
  'create-content-cancelled': { options: { settings: { ...settings, CLIP_WIDTH: '1080' } }, play: cancelVideo },
  'create-content-waited': { options: { settings: { ...settings, MAX_CONCURRENT_VIDEOS: '1' } }, play: createBatch },
  'answer-mention': { options: { settings }, play: mentionScenario(({ eventId }) => `mention:${eventId}`) },
  'deliver-posts': { options: { settings }, play: mentionScenario(({ threadId }) => `posts:${threadId}`) },
  'poll-content-runs': { options: { settings }, play: mentionScenario(({ pollRunId }) => pollRunId) },
}
