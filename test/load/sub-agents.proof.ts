import { expect, test } from 'vitest'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { actOn } from '../chat/turn.ts'
import { faultsOf, readTranscript, shownText, typesOf } from '../world/transcript.ts'
import { createWorld } from '../world/world.ts'
import type { World } from '../world/world.ts'

/** Id of the engine's run before this one; empty when the workflow never went on in a new history. */
const historyBefore = async (world: World, runId: string): Promise<string> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const { events } = await engine.client.workflow.getHandle(runId).fetchHistory()
    return events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? ''
  } finally {
    await engine.close()
  }
}

test('a turn of very many sub-agents goes on in a new history, and nobody sees it', { timeout: 600_000 }, async () => {
  const world = await createWorld()
  try {
    const act = actOn(world)
    const chat = await act.openChat()
    const busy = `@task ${Array.from({ length: 30 }, () => '@garbage-call').join(' ;; --- ;; ')}`
    const lines = [...Array.from({ length: 45 }, () => busy), '---', '$ echo after', '---', '@say All done.']
    const response = await act.post(chat, lines.join('\n'))
    const runId = response.headers.get('x-workflow-run-id') ?? ''
    const transcript = await readTranscript(response)
    expect(await historyBefore(world, runId)).not.toBe('')
    expect(faultsOf(transcript)).toEqual([])
    expect(shownText(transcript)).toBe('All done.')
    expect(typesOf(transcript).filter((type) => type === 'start-step')).toHaveLength(3)
    expect(await act.runStatus(chat.account, runId)).toBe('completed')
  } finally {
    await world.close()
  }
})
