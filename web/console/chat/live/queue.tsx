import { Button, Group, Text } from '@mantine/core'
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp'
import IconPencil from '@tabler/icons-react/icons/IconPencil'
import IconX from '@tabler/icons-react/icons/IconX'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../access/api.ts'
import { explain, read } from '../../access/failure.ts'
import { ask } from '../../parts/dialogs/dialogs.ts'
import { showFault } from '../../parts/toasts/toasts.ts'
import { IconButton } from '../../parts/icon-button.tsx'

const refetchMs = 2000

const holds: Record<string, string> = {
  requested: 'The queue is paused.',
  stopped: 'The queue is paused, because the answer was stopped.',
  failed: 'The queue is paused, because the answer failed.',
  awaiting_user: 'The queue waits for your answer.',
  insufficient_credits: 'The queue is paused, because the credits do not cover the next message.',
  sandbox_not_initialized: 'The queue is paused, because the sandbox does not run.',
}

/** Query for the messages that wait in a chat. `isBusy`: whether an answer runs, during which the queue changes. */
export function useQueue(chatId: string, isBusy: boolean) {
  return useQuery({
    queryKey: ['queue', chatId],
    queryFn: () => read(api.GET('/api/chat/{chatId}/queue', { params: { path: { chatId } } })),
    refetchInterval: ({ state }) => (isBusy || (state.data?.queue.length ?? 0) > 0 ? refetchMs : false),
  })
}

/** Waiting messages in their order, each of which can be moved, edited and removed, and the reason for a hold. */
export function Queue({ chatId, queue }: { chatId: string; queue: ReturnType<typeof useQueue> }) {
  const queries = useQueryClient()
  const { data } = queue
  if (data === undefined || data.queue.length === 0) return null
  const attempt = async (change: Promise<unknown>): Promise<void> => {
    await change.catch((error: unknown) => showFault(explain(error)))
    await queries.invalidateQueries({ queryKey: ['queue', chatId] })
  }
  const act = (change: Promise<unknown>): void => void attempt(change)
  const patch = (queueId: string, body: { text?: string; position?: number }): void =>
    act(read(api.PATCH('/api/chat/{chatId}/queue/{queueId}', { params: { path: { chatId, queueId } }, body })))
  const remove = (queueId: string): void =>
    act(read(api.DELETE('/api/chat/{chatId}/queue/{queueId}', { params: { path: { chatId, queueId } } })))
  const edit = async (queueId: string, text: string): Promise<void> => {
    const changed = await ask({ question: 'Waiting message', verb: 'Save', text })
    if (changed !== undefined && changed !== '') patch(queueId, { text: changed })
  }
  return (
    <section className="queue" aria-label="Waiting messages">
      {data.held && (
        <Group gap="xs" justify="space-between">
          <Text size="sm">{holds[data.heldBecause ?? ''] ?? 'The queue is paused.'}</Text>
          <Button
            size="compact-xs"
            onClick={() => act(read(api.POST('/api/chat/{chatId}/queue/resume', { params: { path: { chatId } } })))}
          >
            Resume
          </Button>
        </Group>
      )}
      <ol>
        {data.queue.map(({ id, text, onBusy }, at) => (
          <li key={id} className="waiting-message">
            <span className="said">{text}</span>
            <Group gap={4} wrap="nowrap">
              <Text size="xs" c="dimmed">
                {onBusy === 'steer' ? 'joins the next step' : 'waits'}
              </Text>
              {at > 0 && (
                <IconButton size="md" label="Move up" Icon={IconArrowUp} onClick={() => patch(id, { position: at })} />
              )}
              <IconButton size="md" label="Edit" Icon={IconPencil} onClick={() => void edit(id, text ?? '')} />
              <IconButton size="md" label="Remove" Icon={IconX} onClick={() => remove(id)} />
            </Group>
          </li>
        ))}
      </ol>
    </section>
  )
}
