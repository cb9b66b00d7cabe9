import { test } from 'vitest'
import { listFaults, listFrames, shownText } from '../../world/transcript.ts'
import { createWorld } from '../../world/world.ts'
import { createChatApi } from '../chat-api.ts'

test.concurrent('a sub-agent that never finishes ends after thirty steps, and its parent continues', async ({
  expect,
}) => {
  const world = await createWorld()
  try {
    const chatApi = createChatApi(world)
    const transcript = await chatApi.send(await chatApi.openChat(), '@task @loop')
    expect(listFaults(transcript)).toEqual([])
    const frames = listFrames(transcript)
    const last = frames.findLast((frame) => frame.type === 'tool-output-available')
    const output: unknown = last?.['output']
    const { final, ...rest } = output as { final: { role: string }[] }
    expect(final.filter(({ role }) => role === 'assistant')).toHaveLength(30)
    expect(rest).toMatchObject({ toolCallCount: 30 })
    expect(shownText(transcript)).toBe('task answered:\n\nSub-task finished')
    expect(frames.at(-1)).toMatchObject({ finishReason: 'stop' })
  } finally {
    await world.close()
  }
})

// The limit allows the first call to end on a slow machine, while the other test runs concurrently.
test.concurrent('a turn at its time limit ends its sub-agent and charges the calls that ended', async ({ expect }) => {
  const shortLimitWorld = await createWorld({ settings: { RUN_TIME_LIMIT_SECONDS: '12' } })
  try {
    const shortLimitApi = createChatApi(shortLimitWorld)
    const chat = await shortLimitApi.openChat()
    const transcript = await shortLimitApi.send(chat, '@task $ true ;; --- ;; @stall')
    expect(listFaults(transcript)).toEqual([])
    expect(listFrames(transcript).slice(-4)).toEqual([
      expect.objectContaining({ type: 'tool-output-error', errorText: 'Interrupted' }),
      { type: 'finish-step' },
      { type: 'error', errorText: 'The run exceeded its time limit' },
      { type: 'finish', finishReason: 'error', messageMetadata: { endReason: 'time_limit' } },
    ])
    const usage = await shortLimitWorld.db<{ agent: string }[]>`
      select agent_type as agent from usage_events order by agent_type`
    expect(usage.map(({ agent }) => agent)).toEqual(['main', 'subagent'])
  } finally {
    await shortLimitWorld.close()
  }
})
