import { Group, Text } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/icons/IconChevronLeft'
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight'
import IconCopy from '@tabler/icons-react/icons/IconCopy'
import IconGitFork from '@tabler/icons-react/icons/IconGitFork'
import IconPencil from '@tabler/icons-react/icons/IconPencil'
import IconRefresh from '@tabler/icons-react/icons/IconRefresh'
import type { UIMessage } from 'ai'
import { IconButton } from '../../parts/buttons/icon-button.tsx'
import { copyText } from '../../parts/toasts/toasts.ts'
import type { ApprovalHandler } from '../parts/approval.tsx'
import { readText } from './turn.ts'

/** Actions on the messages of a chat. */
export type ChatActions = {
  answer: (toolCallId: string, answers: Record<string, string>) => void
  decide: ApprovalHandler
  /** Sends a new version of a user message. */
  edit: (messageId: string, text: string) => void
  /** Requests a new version of an answer. */
  regenerate: (messageId: string) => void
  /** Selects another branch of the chat. */
  select: (branchId: string) => void
  /** Copies the chat up to this message into a new chat. */
  fork: (messageId: string) => void
}

/** Ids of the branches that contain the versions of a message, and the index of the visible version. */
export type Versions = { ids: string[]; visible: number }

type Props = {
  message: UIMessage
  isIdle: boolean
  versions: Versions | undefined
  actions: ChatActions
  onEdit: () => void
}

/** Buttons of one message. Buttons that start a turn or change the branch are hidden while a turn is running. */
export function MessageActions({ message, isIdle, versions, actions, onEdit }: Props) {
  const { id, role } = message
  return (
    <Group gap={2} className="message-actions" justify={role === 'user' ? 'flex-end' : 'flex-start'}>
      {versions !== undefined && isIdle && <VersionSwitch versions={versions} onSelect={actions.select} />}
      <IconButton label="Copy" Icon={IconCopy} onClick={() => void copyText(readText(message))} />
      {isIdle && role === 'user' && <IconButton label="Edit this message" Icon={IconPencil} onClick={onEdit} />}
      {isIdle && role === 'assistant' && (
        <IconButton label="Regenerate" Icon={IconRefresh} onClick={() => actions.regenerate(id)} />
      )}
      {isIdle && <IconButton label="Copy the chat up to here" Icon={IconGitFork} onClick={() => actions.fork(id)} />}
    </Group>
  )
}

type SwitchProps = { versions: Versions; onSelect: (branchId: string) => void }

function VersionSwitch({ versions: { ids, visible }, onSelect }: SwitchProps) {
  const [previous, next] = [ids[visible - 1], ids[visible + 1]]
  return (
    <Group gap={0} role="group" aria-label="Versions of this message">
      <IconButton
        label="Previous version"
        Icon={IconChevronLeft}
        disabled={previous === undefined}
        onClick={() => onSelect(previous ?? '')}
      />
      <Text size="xs" c="dimmed">
        {visible + 1} of {ids.length}
      </Text>
      <IconButton
        label="Next version"
        Icon={IconChevronRight}
        disabled={next === undefined}
        onClick={() => onSelect(next ?? '')}
      />
    </Group>
  )
}
