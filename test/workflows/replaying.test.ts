import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi } from '../chat/chat-api.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { fetchEndedHistory } from '../histories/ended-history.ts'
import { scenarios } from '../histories/recorder.ts'
import { settings } from '../tasks/runs/task-runs-api.ts'
import { createWorld, type World } from '../world/world.ts'

// The longest scenario of each workflow with more than one task, and every outcome of a turn.
const replayedScenarios = [
  'turn-committed',
  'turn-tools',
  'turn-retried',
  'turn-sub-agents',
  'turn-sub-agent-failed',
  'turn-question',
  'turn-stopped-in-tool',
  'turn-headless',
  'watch-extended',
  'setup-sandbox',
  'scheduled-task-retried',
  'deliver-mail',
  'compute-diff',
]

let world: World
let engine: Awaited<ReturnType<typeof connectClient>>
beforeAll(async () => {
  // Without a workflow cache, each task replays its whole history.
  world = await createWorld({ settings: { WORKFLOW_CACHE: '0', PLAN_OVERRIDES: settings['PLAN_OVERRIDES'] ?? '' } })
  engine = await connectClient(engineAddress(world.config, world.temporalAddress))
})
afterAll(async () => {
  await engine.close()
  await world.close()
})

test.each(replayedScenarios)(
  'the scenario %s replays its own history at every workflow task without an error',
  async (name) => {
    const scenario = scenarios[name]
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
    const { events } = await fetchEndedHistory(engine.client, await scenario.play(world, createChatApi(world)))
    const failures = (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) => failed?.failure ?? [])
    expect(failures).toEqual([])
  },
)
