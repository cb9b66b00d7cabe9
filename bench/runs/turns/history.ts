import { connectClient } from '../../../engine/connect.ts'
import { runTurn } from '../../../workflows/chat/messages.ts'
import { measureSpread, type Row } from '../../measure.ts'
import { encodePlan } from '../../stack/plan.ts'
import type { OpenChat, Stack } from '../../stack/stack.ts'
import { sendTurn } from '../../stack/turn.ts'

const toolCalls = 20

/**
 * Measures the workflow history of a turn. A Temporal Cloud action is a workflow, an activity attempt, a timer or a
 * signal.
 */
export async function readHistory(stack: Stack, chat: OpenChat): Promise<Row[]> {
  const engine = await connectClient({ address: stack.temporalAddress, namespace: 'default', tls: false })
  try {
    const plan = encodePlan({ tokens: 1, perSecond: 0, steps: toolCalls + 1, tool: 'todo' })
    await sendTurn(stack.baseUrl, chat, plan, () => {})
    const [run] = await stack.db<{ id: string }[]>`
      select id from runs where chat_id = ${chat.chatId} order by created_at desc limit 1`
    const handle = engine.client.workflow.getHandle(runTurn.id({ runId: run?.id ?? '' }))
    await handle.result()
    const { events = [] } = await handle.fetchHistory()
    const actions = events?.filter(
      ({ workflowExecutionStartedEventAttributes: started, ...event }) =>
        started ??
        event.activityTaskScheduledEventAttributes ??
        event.timerStartedEventAttributes ??
        event.workflowExecutionSignaledEventAttributes,
    )
    const how = `from the workflow history of a turn with ${toolCalls} steps that each call a tool that cannot change files`
    return [
      {
        name: `events of a turn with ${toolCalls} tool calls`,
        ...measureSpread([events?.length ?? 0]),
        unit: 'events',
        how,
      },
      {
        name: 'Temporal Cloud actions of the same turn',
        ...measureSpread([actions?.length ?? 0]),
        unit: 'actions',
        how,
      },
    ]
  } finally {
    await engine.close()
  }
}
