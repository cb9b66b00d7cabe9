import { Alert, Button, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../access/api.ts'
import { explain } from '../../access/failure.ts'
import { refresh } from '../../access/queries.ts'
import type { Attachment } from '../attachments/attachment.ts'
import { Composer } from '../composer.tsx'
import { saveDraft, newChatKey, readDraft } from '../drafts.ts'
import { useExamples } from './examples.ts'
import { storeFirstMessage } from './first-message.ts'
import { startSandbox } from '../session-calls.ts'

type Field = { version: number; text: string; files: readonly Attachment[] }

/** Form for a new chat. The first message creates the session, its sandbox and the first turn. */
export function NewChat() {
  const navigate = useNavigate()
  const examples = useExamples()
  const [phase, setPhase] = useState<string>()
  const [error, setError] = useState<string>()
  const [field, setField] = useState<Field>({ version: 0, text: readDraft(newChatKey).text, files: [] })
  const fillField = (text: string, files: readonly Attachment[] = []): void => {
    saveDraft(newChatKey, { text })
    setField(({ version }) => ({ version: version + 1, text, files }))
  }
  const startChat = async (text: string, files: readonly Attachment[]): Promise<void> => {
    setError(undefined)
    try {
      setPhase('Creating a session …')
      const { session, chat } = await api.POST('/api/sessions', { body: { title: toTitle(text) } })
      setPhase('Starting the sandbox …')
      await startSandbox(session.id)
      storeFirstMessage(chat.id, { text, files })
      void refresh('sessions')
      await navigate({ to: `/chat/${session.id}/${chat.id}` })
    } catch (reason) {
      fillField(text, files)
      setError(explain(reason))
    }
    setPhase(undefined)
  }
  return (
    <section className="conversation new">
      <Title order={1}>What should the agent do?</Title>
      <p className="quiet">
        Each session has its own sandbox. The agent keeps working when you leave this page: return to the chat here, or
        follow the run under Runs.
      </p>
      <div className="examples">
        {examples.map(({ name, text }) => (
          <Button size="xs" variant="default" key={name} onClick={() => fillField(text)}>
            {name}
          </Button>
        ))}
      </div>
      {phase !== undefined && <p role="status">{phase}</p>}
      {error !== undefined && <Alert color="red">{error}</Alert>}
      <Composer
        key={field.version}
        draft={field.text}
        isBusy={phase !== undefined}
        files={field.files}
        onSend={(text, _mode, files) => void startChat(text, files)}
        onDraft={(text) => saveDraft(newChatKey, { text })}
      />
    </section>
  )
}

/** Returns the title of a chat: the first line of its first message, without a leading `$` or `@`. */
function toTitle(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/^[$@]\s*/, '').slice(0, 60)
}
