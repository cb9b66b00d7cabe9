import { Alert, Button, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../access/api.ts'
import { explain, read } from '../../access/failure.ts'
import type { Attachment } from '../attachments/attachment.ts'
import { Composer } from '../composer.tsx'
import { keepDraft, newChat, readDraft } from '../drafts.ts'
import { keepOpening } from './opening.ts'
import { startSandbox } from '../session-calls.ts'

const examples = [
  { name: 'Look around', text: 'Show me where I am.\n$ pwd && ls -la && uname -a' },
  { name: 'Write a file', text: '@write notes/plan.md # Release plan\n---\n$ cat notes/plan.md' },
  { name: 'Ask me first', text: '@ask Which format do you want? WAV | MP3 | FLAC' },
  { name: 'Use a sub-agent', text: '@task $ date ;; --- ;; @say The sub-agent looked at the clock.' },
]

type Field = { count: number; text: string; files: readonly Attachment[] }

/** Form for a new chat. The first message creates the session, its sandbox and the first turn. */
export function NewChat() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [phase, setPhase] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [field, setField] = useState<Field>({ count: 0, text: readDraft(newChat).text, files: [] })
  const write = (text: string, files: readonly Attachment[] = []): void => {
    keepDraft(newChat, { text })
    setField(({ count }) => ({ count: count + 1, text, files }))
  }
  const begin = async (text: string, files: readonly Attachment[]): Promise<void> => {
    setFault(undefined)
    try {
      setPhase('Creating a session …')
      const { session, chat } = await read(api.POST('/api/sessions', { body: { title: toTitle(text) } }))
      setPhase('Starting the sandbox …')
      await startSandbox(session.id)
      keepOpening(chat.id, { text, files })
      void queries.invalidateQueries({ queryKey: ['sessions'] })
      await navigate({ to: '/chat/$sessionId/$chatId', params: { sessionId: session.id, chatId: chat.id } })
    } catch (error) {
      write(text, files)
      setFault(explain(error))
    }
    setPhase(undefined)
  }
  return (
    <section className="conversation new">
      <Title order={1}>What should the agent do?</Title>
      <p className="quiet">
        Each session has its own sandbox. The agent continues when you leave this page: return to the chat here, or
        follow it under Runs.
      </p>
      <div className="examples">
        {examples.map(({ name, text }) => (
          <Button size="xs" variant="default" key={name} onClick={() => write(text)}>
            {name}
          </Button>
        ))}
      </div>
      {phase !== undefined && <p role="status">{phase}</p>}
      {fault !== undefined && <Alert color="red">{fault}</Alert>}
      <Composer
        key={field.count}
        draft={field.text}
        isBusy={phase !== undefined}
        files={field.files}
        onSend={(text, _mode, files) => void begin(text, files)}
        onDraft={(text) => keepDraft(newChat, { text })}
      />
    </section>
  )
}

/** Title of a chat: the first line of its first message, without a leading `$` or `@`. */
function toTitle(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/^[$@]\s*/, '').slice(0, 60)
}
