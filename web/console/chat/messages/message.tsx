import type { UIMessage } from 'ai'
import { memo } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { readMetadata } from './turn.ts'
import { ToolCard } from '../parts/tool-card.tsx'
import type { ToolPart } from '../parts/tool-part.ts'
import { CommitNote, type CommitData } from '../parts/commit-note.tsx'
import { Usage } from './usage.tsx'

type Props = {
  message: UIMessage
  isLive: boolean
  onAnswer: (toolCallId: string, answers: Record<string, string>) => void
}

export const Message = memo(function Message({ message, isLive, onAnswer }: Props) {
  const { role, parts } = message
  const isOpen = readMetadata(message).endReason === 'awaiting_user' && !isLive
  return (
    <article className={`message ${role}`} aria-label={role === 'user' ? 'You' : 'Agent'}>
      <div className="bubble">
        {parts.map((part, at) => (
          <Part key={at} part={part} isAsked={isOpen} onAnswer={onAnswer} isOwn={role === 'user'} />
        ))}
      </div>
      {isLive && <span className="caret" aria-hidden="true" />}
      {role === 'assistant' && !isLive && <Usage message={message} />}
    </article>
  )
})

type PartProps = {
  part: UIMessage['parts'][number]
  isAsked: boolean
  isOwn: boolean
  onAnswer: Props['onAnswer']
}

function Part({ part, isAsked, isOwn, onAnswer }: PartProps) {
  if (part.type === 'text') return isOwn ? <p className="said">{part.text}</p> : <Markdown text={part.text} />
  if (part.type === 'reasoning')
    return part.text === '' ? null : (
      <details className="reasoning">
        <summary>Reasoning</summary>
        <p className="said">{part.text}</p>
      </details>
    )
  if (part.type === 'file') return <p className="quiet">File: {part.filename ?? part.mediaType}</p>
  if (part.type.startsWith('tool-') || part.type === 'dynamic-tool')
    return <ToolCard part={part as ToolPart} isAsked={isAsked} onAnswer={onAnswer} />
  if (part.type === 'data-commit') return <CommitNote data={part.data as CommitData} />
  return null
}
