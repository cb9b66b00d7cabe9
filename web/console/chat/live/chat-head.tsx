import { ActionIcon, Button, NativeSelect, Title } from '@mantine/core'
import IconDots from '@tabler/icons-react/icons/IconDots'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../access/api.ts'
import { explain, read } from '../../access/failure.ts'
import { Action } from '../../parts/action.tsx'
import { useSetPageTitle } from '../../parts/page.tsx'
import { showError } from '../../parts/toasts/toasts.ts'
import { Status } from '../../parts/words.tsx'
import type { LoadedChat } from './loading.ts'
import type { ChatIds } from './turn-request.ts'

const ChatMenu = lazy(async () => ({ default: (await import('../menu/chat-menu.tsx')).ChatMenu }))
const modelsStaleMs = 60_000

type Props = {
  chatIds: ChatIds
  initialChat: LoadedChat
  /** True while the last turn waits for the user. */
  isWaiting: boolean
  isDiffShown: boolean
  onToggleDiff: () => void
}

/** Header of a chat: its title and model, the other chats of the session, and a button that shows the changed files. */
export function ChatHead({ chatIds, initialChat, isWaiting, isDiffShown, onToggleDiff }: Props) {
  const { sessionId, chatId } = chatIds
  const queries = useQueryClient()
  const navigate = useNavigate()
  const path = { sessionId }
  const query = useQuery({
    queryKey: ['chats', sessionId],
    queryFn: () => read(api.GET('/api/sessions/{sessionId}/chats', { params: { path } })),
    refetchInterval: 5000,
  })
  const chats = query.data?.chats ?? []
  const addChat = async (): Promise<void> => {
    const { chat } = await read(api.POST('/api/sessions/{sessionId}/chats', { params: { path }, body: {} }))
    await queries.invalidateQueries({ queryKey: ['chats', sessionId] })
    await navigate({ to: '/chat/$sessionId/$chatId', params: { sessionId, chatId: chat.id } })
  }
  const title = chats.find(({ id }) => id === chatId)?.title || initialChat.title || 'New chat'
  useSetPageTitle(isWaiting ? `Waiting for you: ${title}` : title)
  return (
    <header className="chat-head">
      <Link to="/chat" className="back">
        All chats
      </Link>
      <Title order={1}>{title}</Title>
      {isWaiting && <Status of="waiting for you" />}
      <div className="buttons">
        {chats.length > 1 && (
          <NativeSelect
            aria-label="Chat of this session"
            size="xs"
            value={chatId}
            onChange={({ target }) =>
              void navigate({ to: '/chat/$sessionId/$chatId', params: { sessionId, chatId: target.value } })
            }
          >
            {chats.map((chat) => (
              <option key={chat.id} value={chat.id}>
                {chat.title || 'New chat'}
                {chat.hasUnread && chat.id !== chatId ? ' (unread)' : ''}
              </option>
            ))}
          </NativeSelect>
        )}
        <Button size="xs" variant="default" aria-pressed={isDiffShown} onClick={onToggleDiff}>
          Changes
        </Button>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/files/$sessionId" params={{ sessionId }} {...props} />}
        >
          Files
        </Button>
        <Action onAct={addChat}>Add a chat</Action>
        <ChatMenuButton chatIds={chatIds} />
      </div>
      <ModelSelect chatIds={chatIds} modelId={initialChat.modelId} />
    </header>
  )
}

/** Button that opens the chat's menu, whose script loads on first use. */
function ChatMenuButton({ chatIds }: { chatIds: ChatIds }) {
  const [isMenuRequested, setMenuRequested] = useState(false)
  const button = (
    <ActionIcon variant="default" size="md" aria-label="More actions" onClick={() => setMenuRequested(true)}>
      <IconDots aria-hidden size={16} />
    </ActionIcon>
  )
  return isMenuRequested ? (
    <Suspense fallback={button}>
      <ChatMenu chatIds={chatIds} button={button} />
    </Suspense>
  ) : (
    button
  )
}

/** Selects the model of subsequent turns. */
function ModelSelect({ chatIds, modelId }: { chatIds: ChatIds; modelId: string }) {
  const [selected, setSelected] = useState(modelId)
  const { data } = useQuery({
    queryKey: ['models'],
    queryFn: async () => (await read(api.GET('/api/ai/models'))).models,
    staleTime: modelsStaleMs,
  })
  const change = async (next: string): Promise<void> => {
    setSelected(next)
    try {
      await read(
        api.PATCH('/api/sessions/{sessionId}/chats/{chatId}', { params: { path: chatIds }, body: { modelId: next } }),
      )
    } catch (error) {
      setSelected(selected)
      showError(explain(error))
    }
  }
  const ids = [...new Set([selected, ...(data ?? []).map(({ id }) => id)])]
  return (
    <NativeSelect
      aria-label="Model"
      size="xs"
      data={ids}
      value={selected}
      onChange={({ target }) => void change(target.value)}
    />
  )
}
