import { Button, NativeSelect, Title } from '@mantine/core'
import IconDots from '@tabler/icons-react/icons/IconDots'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { api } from '../../access/api.ts'
import { refreshAfter, useGet } from '../../access/queries.ts'
import { Action } from '../../parts/buttons/action.tsx'
import { LazyMenu } from '../../parts/buttons/lazy-menu.tsx'
import { LinkButton } from '../../parts/buttons/link-button.tsx'
import { useSetPageTitle } from '../../parts/title.ts'
import { showError } from '../../parts/toasts/toasts.ts'
import { Status } from '../../parts/words.tsx'
import type { LoadedChat } from './loading.ts'
import type { ChatIds } from './turn-request.ts'

const ChatMenu = lazy(async () => ({ default: (await import('../menu/chat-menu.tsx')).ChatMenu }))
const chatsRoute = '/api/sessions/{sessionId}/chats'
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
  const navigate = useNavigate()
  const path = { sessionId }
  const query = useGet('chats', chatsRoute, { path }, { refetchInterval: 5000 })
  const chats = query.data?.chats ?? []
  const openChat = (id: string): Promise<void> => navigate({ to: `/chat/${sessionId}/${id}` })
  const addChat = async (): Promise<void> => {
    const { chat } = await refreshAfter(api.POST(chatsRoute, { path, body: {} }), 'chats')
    await openChat(chat.id)
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
            onChange={({ target }) => void openChat(target.value)}
            data={chats.map(({ id, title, hasUnread }) => ({
              value: id,
              label: (title || 'New chat') + (hasUnread && id !== chatId ? ' (unread)' : ''),
            }))}
          />
        )}
        <Button size="xs" variant="default" aria-pressed={isDiffShown} onClick={onToggleDiff}>
          Changes
        </Button>
        <LinkButton to={`/files/${sessionId}`}>Files</LinkButton>
        <Action name="Add a chat" onAct={addChat} />
        <LazyMenu label="More actions" variant="default" icon={<IconDots aria-hidden size={16} />}>
          {(button) => <ChatMenu chatIds={chatIds} button={button} />}
        </LazyMenu>
      </div>
      <ModelSelect chatIds={chatIds} modelId={initialChat.modelId} />
    </header>
  )
}

/** Selects the model of subsequent turns. */
function ModelSelect({ chatIds, modelId }: { chatIds: ChatIds; modelId: string }) {
  const [selected, setSelected] = useState(modelId)
  const { data } = useGet('models', '/api/ai/models', {}, { staleTime: modelsStaleMs })
  const change = async (next: string): Promise<void> => {
    setSelected(next)
    try {
      await api.PATCH(`${chatsRoute}/{chatId}`, { path: chatIds, body: { modelId: next } })
    } catch (error) {
      setSelected(selected)
      showError(error)
    }
  }
  const ids = [...new Set([selected, ...(data?.models ?? []).map(({ id }) => id)])]
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
