import { Button, Group, Textarea } from '@mantine/core'
import type { UIMessage } from 'ai'
import { memo, useState } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { AttachedFile } from '../attachments/attached-file.tsx'
import type { Decide } from '../parts/approval.tsx'
import { CommitNote, type CommitData } from '../parts/commit-note.tsx'
import { ToolCard } from '../parts/tool-card.tsx'
import type { ToolPart } from '../parts/tool-part.ts'
import { FailedTurn } from './failed-turn.tsx'
import { MessageActions } from './message-actions.tsx'
import { readMetadata, readText } from './turn.ts'
import { Usage } from './usage.tsx'

/** Actions on the messages of a chat. */
export type ChatActions = {
  answer: (toolCallId: string, answers: Record<string, string>) => void
  decide: Decide
  /** Sends another version of a message of the user. */
  edit: (messageId: string, text: string) => void
  /** Requests another answer in place of this one. */
  regenerate: (messageId: string) => void
  /** Selects another branch of the chat. */
  select: (branchId: string) => void
  /** Copies the chat up to this message into a new one. */
  fork: (messageId: string) => void
}

/** The branches that continue the chat in place of a message, and the index of the one that is shown. */
export type Versions = { ids: string[]; shown: number }

type Props = {
  message: UIMessage
  isLive: boolean
  isLast: boolean
  /** True while no turn runs, so that one can be started. */
  isIdle: boolean
  versions: Versions | undefined
  actions: ChatActions
}

export const Message = memo(function Message({ message, isLive, isLast, isIdle, versions, actions }: Props) {
  const { id, role, parts } = message
  const [isEdited, setEdited] = useState(false)
  const { endReason, runId } = readMetadata(message)
  const isOpen = endReason === 'awaiting_user' && !isLive
  const isOwn = role === 'user'
  return (
    <article className={`message ${role}`} aria-label={isOwn ? 'You' : 'Agent'}>
      {isEdited ? (
        <Edit
          text={readText(message)}
          onCancel={() => setEdited(false)}
          onSend={(text) => {
            setEdited(false)
            actions.edit(id, text)
          }}
        />
      ) : (
        <div className="bubble">
          {parts.map((part, at) => (
            <Part key={at} part={part} isAsked={isOpen} actions={actions} isOwn={isOwn} />
          ))}
        </div>
      )}
      {isLive && <span className="caret" aria-hidden="true" />}
      {endReason === 'error' && runId !== undefined && !isLive && isLast && (
        <FailedTurn runId={runId} onRetry={isIdle ? () => actions.regenerate(id) : undefined} />
      )}
      {!isOwn && !isLive && <Usage message={message} />}
      {!isLive && !isEdited && (
        <MessageActions
          message={message}
          isIdle={isIdle}
          versions={versions}
          actions={actions}
          onEdit={() => setEdited(true)}
        />
      )}
    </article>
  )
})

function Edit({ text, onSend, onCancel }: { text: string; onSend: (text: string) => void; onCancel: () => void }) {
  const [changed, setChanged] = useState(text)
  return (
    <div>
      <Textarea
        aria-label="Edited message"
        data-autofocus
        autoFocus
        rows={Math.min(10, changed.split('\n').length + 1)}
        value={changed}
        onChange={({ target }) => setChanged(target.value)}
      />
      <Group gap="xs" justify="flex-end" mt="xs">
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" disabled={changed.trim() === ''} onClick={() => onSend(changed.trim())}>
          Send the edit
        </Button>
      </Group>
    </div>
  )
}

type PartProps = { part: UIMessage['parts'][number]; isAsked: boolean; isOwn: boolean; actions: ChatActions }

function Part({ part, isAsked, isOwn, actions }: PartProps) {
  if (part.type === 'text') return isOwn ? <p className="said">{part.text}</p> : <Markdown text={part.text} />
  if (part.type === 'reasoning')
    return part.text === '' ? null : (
      <details className="reasoning">
        <summary>Reasoning</summary>
        <p className="said">{part.text}</p>
      </details>
    )
  if (part.type === 'file') return <AttachedFile file={part} />
  if (part.type.startsWith('tool-') || part.type === 'dynamic-tool')
    return <ToolCard part={part as ToolPart} isAsked={isAsked} onAnswer={actions.answer} onDecide={actions.decide} />
  if (part.type === 'data-commit') return <CommitNote data={part.data as CommitData} />
  if (part.type === 'data-sandbox-loss') return <LossNote data={part.data as { text?: string }} />
  if (part.type === 'data-steer') return <Steering data={part.data as SteerData} />
  return null
}

/** The files of the sandbox were lost with their machine. */
function LossNote({ data: { text = '' } }: { data: { text?: string } }) {
  return (
    <div className="quiet" role="note">
      <p>{text}</p>
    </div>
  )
}

type SteerData = { parts?: { type: string; text?: string }[] }

/** A message that the user added to the running answer, at the step that it joined. */
function Steering({ data: { parts = [] } }: { data: SteerData }) {
  return (
    <div className="message user steering" aria-label="You, while the answer ran" role="group">
      <div className="bubble">
        <p className="said">{parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n')}</p>
      </div>
    </div>
  )
}
