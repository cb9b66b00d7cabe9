import { useQuery } from '@tanstack/react-query'
import type { UIMessage } from 'ai'
import { useState } from 'react'
import type { Schemas } from '../access/api.ts'
import { refresh } from '../access/queries.ts'
import { loadChat, loadNewest } from '../chat/live/loading.ts'
import { sendAnswers } from '../chat/live/turn-request.ts'
import { listPendingParts } from '../chat/messages/turn.ts'
import { Approval, type ApprovalHandler } from '../chat/parts/approval.tsx'
import { Question } from '../chat/parts/question.tsx'
import { LinkButton } from '../parts/buttons/link-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Head } from '../parts/page.tsx'
import { showSuccess, showError } from '../parts/toasts/toasts.ts'
import { Time } from '../parts/words.tsx'

/** Fields to set on each answered message part, by tool call id. */
type Answers = Record<string, object>

/** Open questions and approvals of one turn. Sends the answers when all are complete. */
export function WaitingRun({ run }: { run: Schemas['ListedRun'] }) {
  const chatIds = { sessionId: run.sessionId ?? '', chatId: run.chatId ?? '' }
  const newest = useQuery({
    queryKey: ['waiting-newest', run.id],
    queryFn: () => loadNewest(chatIds, 1),
    staleTime: Infinity,
  })
  const [answers, setAnswers] = useState<Answers>({})
  const [isSending, setSending] = useState(false)
  const pendingParts = listPendingParts(newest.data?.messages.at(-1))
  const answer = async (callId: string, fields: object): Promise<void> => {
    const nextAnswers = { ...answers, [callId]: fields }
    setAnswers(nextAnswers)
    if (pendingParts.some(({ toolCallId }) => nextAnswers[toolCallId] === undefined)) return
    setSending(true)
    try {
      const { messages } = await loadChat(chatIds)
      await sendAnswers(chatIds, withAnswers(messages, nextAnswers))
      showSuccess('Answered. The agent continues.')
    } catch (error) {
      showError(error)
      setAnswers({})
    }
    setSending(false)
    await refresh('waiting', 'sessions')
  }
  const decide: ApprovalHandler = ({ id, approved, reason }) => {
    const part = pendingParts.find(({ approval }) => approval?.id === id)
    if (part === undefined) return
    void answer(part.toolCallId, { state: 'approval-responded', approval: { id, approved, reason } })
  }
  return (
    <>
      <Head
        title={run.title ?? 'Chat'}
        order={2}
        actions={
          <>
            <span className="quiet">
              <Time at={run.endedAt} />
            </span>
            <LinkButton to={`/chat/${chatIds.sessionId}/${chatIds.chatId}`}>Open the chat</LinkButton>
          </>
        }
      />
      <Loaded query={newest}>
        {() =>
          pendingParts.map((part) => {
            const isAwaitingUser = !isSending && answers[part.toolCallId] === undefined
            return part.state === 'approval-requested' ? (
              <Approval key={part.toolCallId} part={part} isAwaitingUser={isAwaitingUser} onDecide={decide} />
            ) : (
              <Question
                key={part.toolCallId}
                part={part}
                isAwaitingUser={isAwaitingUser}
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
  return messages.map((message, index) =>
    index < messages.length - 1
      ? message
      : {
          ...message,
          parts: message.parts.map((part) => ('toolCallId' in part ? { ...part, ...answers[part.toolCallId] } : part)),
        },
  )
}
