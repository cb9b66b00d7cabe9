import { Button, Group, Textarea } from '@mantine/core'
import type { UIMessage } from 'ai'
import { memo, useState } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { AttachedFile } from '../attachments/attached-file.tsx'
import { CommitNote, type CommitData } from '../parts/commit-note.tsx'
import { ToolCard } from '../parts/tool-card.tsx'
import type { ToolPart } from '../parts/tool-part.ts'
import { FailedTurn } from './failed-turn.tsx'
import { MessageActions, type ChatActions, type Versions } from './message-actions.tsx'
import { readMetadata, readText } from './turn.ts'
import { Usage } from './usage.tsx'

type Props = {
  message: UIMessage
  isLive: boolean
  isLast: boolean
  /** True while no turn is running, so that the user can start one. */
  isIdle: boolean
  versions: Versions | undefined
  actions: ChatActions
}

export const Message = memo(function Message({ message, isLive, isLast, isIdle, versions, actions }: Props) {
  const { id, role, parts } = message
  const [isEditing, setEditing] = useState(false)
  const { endReason, runId } = readMetadata(message)
  const isAwaitingUser = endReason === 'awaiting_user' && !isLive
  const isFromUser = role === 'user'
  return (
    <article className={`message ${role}`} aria-label={isFromUser ? 'You' : 'Agent'}>
      {isEditing ? (
        <MessageEditor
          text={readText(message)}
          onCancel={() => setEditing(false)}
          onSend={(text) => {
            setEditing(false)
            actions.edit(id, text)
          }}
        />
      ) : (
        <div className="bubble">
          {parts.map((part, index) => (
            <Part key={index} part={part} isAwaitingUser={isAwaitingUser} actions={actions} isFromUser={isFromUser} />
          ))}
        </div>
      )}
      {isLive && <span className="caret" aria-hidden="true" />}
      {endReason === 'error' && runId !== undefined && !isLive && isLast && (
        <FailedTurn runId={runId} onRetry={isIdle ? () => actions.regenerate(id) : undefined} />
      )}
      {!isFromUser && !isLive && <Usage message={message} />}
      {!isLive && !isEditing && (
        <MessageActions
          message={message}
          isIdle={isIdle}
          versions={versions}
          actions={actions}
          onEdit={() => setEditing(true)}
        />
      )}
    </article>
  )
})

type EditorProps = { text: string; onSend: (text: string) => void; onCancel: () => void }

function MessageEditor({ text, onSend, onCancel }: EditorProps) {
  const [draft, setDraft] = useState(text)
  return (
    <div>
      <Textarea
        aria-label="Edited message"
        data-autofocus
        autoFocus
        rows={Math.min(10, draft.split('\n').length + 1)}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <Group gap="xs" justify="flex-end" mt="xs">
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" disabled={draft.trim() === ''} onClick={() => onSend(draft.trim())}>
          Send
        </Button>
      </Group>
    </div>
  )
}

type PartProps = {
  part: UIMessage['parts'][number]
  isAwaitingUser: boolean
  isFromUser: boolean
  actions: ChatActions
}

function Part({ part, isAwaitingUser, isFromUser, actions }: PartProps) {
  if (part.type === 'text') return isFromUser ? <p className="verbatim">{part.text}</p> : <Markdown text={part.text} />
  if (part.type === 'reasoning')
    return part.text === '' ? null : (
      <details className="reasoning">
        <summary>Reasoning</summary>
        <p className="verbatim">{part.text}</p>
      </details>
    )
  if (part.type === 'file') return <AttachedFile file={part} />
  if (part.type.startsWith('tool-') || part.type === 'dynamic-tool')
    return (
      <ToolCard
        part={part as ToolPart}
        isAwaitingUser={isAwaitingUser}
        onAnswer={actions.answer}
        onDecide={actions.decide}
      />
    )
  if (part.type === 'data-commit') return <CommitNote data={part.data as CommitData} />
  if (part.type === 'data-sandbox-loss') return <SandboxLossNote data={part.data as { text?: string }} />
  if (part.type === 'data-steer') return <SteeringMessage data={part.data as SteerData} />
  return null
}

/** Note that the files of the sandbox were lost with their machine. */
function SandboxLossNote({ data: { text = '' } }: { data: { text?: string } }) {
  return (
    <div className="quiet" role="note">
      <p>{text}</p>
    </div>
  )
}

type SteerData = { parts?: { type: string; text?: string }[] }

/** A message that the user added to the running turn, shown at the step that received it. */
function SteeringMessage({ data: { parts = [] } }: { data: SteerData }) {
  return (
    <div className="message user steering" aria-label="You, during the answer" role="group">
      <div className="bubble">
        <p className="verbatim">{parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n')}</p>
      </div>
    </div>
  )
}
