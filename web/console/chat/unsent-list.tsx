import { Button, Group, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import { notEnoughCredits } from '../access/failure.ts'
import { RemedyLink } from '../parts/remedy-link.tsx'
import type { UnsentMessage } from './drafts.ts'

type Props = {
  messages: UnsentMessage[]
  onRetry: (message: UnsentMessage) => void
  onEdit: (message: UnsentMessage) => void
  onDiscard: (message: UnsentMessage) => void
}

/** Messages that could not be sent, shown until the user sends or discards them. */
export function UnsentList({ messages, onRetry, onEdit, onDiscard }: Props) {
  return messages.map((message) => (
    <section key={message.id} className="queued-message unsent" aria-label="Message that was not sent">
      <p className="verbatim">{message.text}</p>
      {message.files !== undefined && message.files.length > 0 && (
        <p className="quiet">{message.files.map(({ filename }) => filename).join(', ')}</p>
      )}
      <Group gap="xs" justify="space-between">
        <Text size="sm" c="red" role="alert">
          <IconAlertTriangle aria-hidden size={14} /> Not sent: {message.reason}{' '}
          {message.reason === notEnoughCredits && <RemedyLink remedy={{ to: '/money', label: 'Buy credits' }} />}
        </Text>
        <Group gap="xs">
          <Button size="compact-xs" onClick={() => onRetry(message)}>
            Retry
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onEdit(message)}>
            Edit
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onDiscard(message)}>
            Discard
          </Button>
        </Group>
      </Group>
    </section>
  ))
}
