import { Button, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UIMessage } from 'ai'
import { useState } from 'react'
import { explain } from '../access/failure.ts'
import { loadChat, loadEnd } from '../chat/live/loading.ts'
import { sendAnswers } from '../chat/live/turn-request.ts'
import { listOpenParts } from '../chat/messages/turn.ts'
import { Approval, type Decide } from '../chat/parts/approval.tsx'
import { Question } from '../chat/parts/question.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { showDone, showFault } from '../parts/toasts/toasts.ts'
import { Time } from '../parts/words.tsx'

type Run = { id: string; title: string | null; sessionId: string | null; chatId: string | null; endedAt: string | null }

/** Answers by the id of the call, as fields of the answered part. */
type Answers = Record<string, object>

/** The open questions and approvals of one turn. The answers are sent when all are there. */
export function WaitingRun({ run }: { run: Run }) {
  const queries = useQueryClient()
  const place = { sessionId: run.sessionId ?? '', chatId: run.chatId ?? '' }
  const end = useQuery({ queryKey: ['waiting-end', run.id], queryFn: () => loadEnd(place, 1), staleTime: Infinity })
  const [answers, setAnswers] = useState<Answers>({})
  const [isSending, setSending] = useState(false)
  const open = listOpenParts(end.data?.messages.at(-1))
  const answer = async (callId: string, members: object): Promise<void> => {
    const given = { ...answers, [callId]: members }
    setAnswers(given)
    if (open.some(({ toolCallId }) => given[toolCallId] === undefined)) return
    setSending(true)
    try {
      const { messages } = await loadChat(place)
      await sendAnswers(place, withAnswers(messages, given))
      showDone('Answered. The agent continues.')
    } catch (error) {
      showFault(explain(error))
      setAnswers({})
    }
    setSending(false)
    await Promise.all(['waiting', 'sessions'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
  }
  const decide: Decide = ({ id, approved, reason }) => {
    const part = open.find(({ approval }) => approval?.id === id)
    if (part === undefined) return
    const approval = { id, approved, ...(reason !== undefined && { reason }) }
    void answer(part.toolCallId, { state: 'approval-responded', approval })
  }
  return (
    <>
      <header className="page-head">
        <Title order={2}>{run.title ?? 'Chat'}</Title>
        <div className="buttons">
          <span className="quiet">
            <Time at={run.endedAt} />
          </span>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/chat/$sessionId/$chatId" params={place} {...props} />}
          >
            Open the chat
          </Button>
        </div>
      </header>
      <Loaded query={end}>
        {() =>
          open.map((part) => {
            const isOpen = !isSending && answers[part.toolCallId] === undefined
            return part.state === 'approval-requested' ? (
              <Approval key={part.toolCallId} part={part} isOpen={isOpen} onDecide={decide} />
            ) : (
              <Question
                key={part.toolCallId}
                part={part}
                isOpen={isOpen}
                onAnswer={(texts) =>
                  void answer(part.toolCallId, { state: 'output-available', output: { answers: texts } })
                }
              />
            )
          })
        }
      </Loaded>
    </>
  )
}

function withAnswers(messages: readonly UIMessage[], answers: Answers): UIMessage[] {
  return messages.map((message, at) =>
    at < messages.length - 1
      ? message
      : {
          ...message,
          parts: message.parts.map((part) => ('toolCallId' in part ? { ...part, ...answers[part.toolCallId] } : part)),
        },
  )
}
