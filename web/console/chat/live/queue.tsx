import { Button, Group, Text } from '@mantine/core'
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp'
import IconPencil from '@tabler/icons-react/icons/IconPencil'
import IconX from '@tabler/icons-react/icons/IconX'
import { api } from '../../access/api.ts'
import { refresh, useGet } from '../../access/queries.ts'
import { promptUser } from '../../parts/dialogs/dialogs.ts'
import { showError } from '../../parts/toasts/toasts.ts'
import { IconButton } from '../../parts/buttons/icon-button.tsx'

const route = '/api/chat/{chatId}/queue'
const refetchMs = 2000

const pauseReasons: Record<string, string> = {
  requested: 'The queue is paused.',
  stopped: 'The queue is paused because the answer was stopped.',
  failed: 'The queue is paused because the answer failed.',
  awaiting_user: 'The queue is waiting for your answer.',
  insufficient_credits: 'The queue is paused because your credits do not cover the next message.',
  sandbox_not_initialized: 'The queue is paused because the sandbox is not running.',
}

/** Query for the queued messages of a chat. `isBusy`: true during an answer, when the queue can change. */
export function useQueue(chatId: string, isBusy: boolean) {
  const input = { path: { chatId } }
  return useGet('queue', route, input, {
    refetchInterval: ({ state }) => (isBusy || (state.data?.queue.length ?? 0) > 0 ? refetchMs : false),
  })
}

/** Queued messages in order, with buttons to move, edit and remove them, and the reason if the queue is paused. */
export function Queue({ chatId, queue }: { chatId: string; queue: ReturnType<typeof useQueue> }) {
  const { data } = queue
  if (data === undefined || data.queue.length === 0) return null
  const patch = (queueId: string, body: { text?: string; position?: number }): void =>
    run(api.PATCH(`${route}/{queueId}`, { path: { chatId, queueId }, body }))
  const edit = async (queueId: string, text: string): Promise<void> => {
    const newText = await promptUser({ question: 'Queued message', confirmLabel: 'Save', text })
    if (newText !== undefined && newText !== '') patch(queueId, { text: newText })
  }
  return (
    <section className="queue" aria-label="Queued messages">
      {data.held && (
        <Group gap="xs" justify="space-between">
          <Text size="sm">{pauseReasons[data.heldBecause ?? ''] ?? 'The queue is paused.'}</Text>
          <Button size="compact-xs" onClick={() => run(api.POST(`${route}/resume`, { path: { chatId } }))}>
            Resume
          </Button>
        </Group>
      )}
      <ol>
        {data.queue.map(({ id, text, onBusy }, index) => (
          <li key={id} className="queued-message">
            <span className="verbatim">{text}</span>
            <Group gap={4} wrap="nowrap">
              <Text size="xs" c="dimmed">
                {onBusy === 'steer' ? 'added at the next step' : 'queued'}
              </Text>
              {index > 0 && (
                <IconButton
                  size="md"
                  label="Move up"
                  Icon={IconArrowUp}
                  onClick={() => patch(id, { position: index })}
                />
              )}
              <IconButton size="md" label="Edit" Icon={IconPencil} onClick={() => void edit(id, text ?? '')} />
              <IconButton
                size="md"
                label="Remove"
                Icon={IconX}
                onClick={() => run(api.DELETE(`${route}/{queueId}`, { path: { chatId, queueId: id } }))}
              />
            </Group>
          </li>
        ))}
      </ol>
    </section>
  )
}

function run(change: Promise<unknown>): void {
  void change.catch(showError).then(() => refresh('queue'))
}
