import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createFeedChannels } from '../../api/streams/channels.ts'
import { openListener, type Listener } from '../../db/postgres/channels/listener.ts'
import { framesChannel } from '../../db/postgres/channels/names.ts'
import { createNotifier, type Notifier } from '../../db/postgres/channels/notify.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import { listFaults, readTranscript, shownText } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createChatApi, repeatedWords } from './chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
let notifier: Notifier
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '60' } })
  chatApi = createChatApi(world)
  notifier = createNotifier(world.applicationUrl)
})
afterAll(async () => {
  await notifier.close()
  await world.close()
})

/** Creates a feed that only counts its wake-ups. */
const createFeed = (runId = newRunId()) => {
  const feed = { runId, wakes: 0, wake: (): void => void feed.wakes++ }
  return feed
}

/** Opens the channels of one process and records the notifications that they receive. */
const openChannels = () => {
  const listener = openListener(world.applicationUrl, 'feeds')
  onTestFinished(() => listener.close())
  const received: string[] = []
  let clock = 0
  const recordingListener: Pick<Listener, 'listen' | 'unlisten'> = {
    listen: (name, { onPayload, ...rest }) =>
      listener.listen(name, {
        ...rest,
        onPayload: (payload) => {
          received.push(payload)
          onPayload(payload)
        },
      }),
    unlisten: listener.unlisten,
  }
  const channels = createFeedChannels(recordingListener, () => clock)
  return { channels, received, advanceClock: (ms: number) => void (clock += ms) }
}

const newRunIdOnOtherChannel = (runId: string): string => {
  for (;;) {
    const other = newRunId()
    if (framesChannel(other) !== framesChannel(runId)) return other
  }
}

const untilWoken = (feed: { wakes: number }, times: number) =>
  eventually('a wake-up', async () => (feed.wakes >= times ? true : undefined))

test('a process receives notifications of its own runs and not of runs on other channels', async () => {
  const { channels, received } = openChannels()
  const feed = createFeed()
  channels.add(feed)
  // Frames that were appended before the LISTEN have sent their notification already.
  await untilWoken(feed, 1)
  notifier.wake(newRunIdOnOtherChannel(feed.runId))
  notifier.wake(feed.runId)
  await untilWoken(feed, 2)
  expect(received).toEqual([feed.runId])
})

test('after the connection is lost, every feed reads again and receives later notifications', async () => {
  const { channels } = openChannels()
  const feeds = Array.from({ length: 40 }, () => createFeed())
  for (const feed of feeds) channels.add(feed)
  for (const feed of feeds) await untilWoken(feed, 1)
  const before = feeds.map(({ wakes }) => wakes)
  await world.db`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'backline listen feeds'`
  for (const [at, feed] of feeds.entries()) await untilWoken(feed, (before[at] ?? 0) + 1)
  const [first] = feeds
  if (first === undefined) throw new Error('no feed')
  const { wakes, runId } = first
  notifier.wake(runId)
  await untilWoken(first, wakes + 1)
})

test('a channel without feeds is unsubscribed after a minute, and a later feed subscribes to it again', async () => {
  const { channels, received, advanceClock } = openChannels()
  const feed = createFeed()
  channels.add(feed)
  await untilWoken(feed, 1)
  channels.remove(feed)
  channels.leaveUnused()
  notifier.wake(feed.runId)
  await eventually('a notification on the unused channel', async () => (received.length === 1 ? true : undefined))
  advanceClock(60_000)
  channels.leaveUnused()
  const witness = createFeed(newRunIdOnOtherChannel(feed.runId))
  channels.add(witness)
  await untilWoken(witness, 1)
  notifier.wake(feed.runId)
  notifier.wake(witness.runId)
  await untilWoken(witness, 2)
  expect(received).toEqual([feed.runId, witness.runId])
  const again = createFeed(feed.runId)
  channels.add(again)
  await untilWoken(again, 1)
  notifier.wake(feed.runId)
  await untilWoken(again, 2)
})

test('a stream has no gap when its API repeatedly loses notifications', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const reading = readTranscript(await chatApi.post(chat, '@words 120'))
  const reader = new AbortController()
  const cuttingConnections = (async () => {
    while (!reader.signal.aborted) {
      await world.db`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'backline listen api'`
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  const transcript = await reading
  reader.abort()
  await cuttingConnections
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe(repeatedWords(120))
})
