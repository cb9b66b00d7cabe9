import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { LoadedPage } from '../parts/loaded.tsx'

/** Redirects a link that contains only a chat id, such as a link in an email, to the page of the chat. */
export function ChatLink() {
  const { chatId = '' } = useParams({ strict: false })
  const chat = useQuery({ queryKey: ['chat-link', chatId], queryFn: () => findChat(chatId) })
  return (
    <LoadedPage title="Chat" query={chat}>
      {({ sessionId }) => <Navigate to={`/chat/${sessionId}/${chatId}`} replace />}
    </LoadedPage>
  )
}

async function findChat(id: string): Promise<{ sessionId: string }> {
  const { chats } = await api.GET('/api/chats', { query: { id } })
  const [chat] = chats
  if (chat === undefined) throw new Error('This chat does not exist, or it belongs to another account.')
  return chat
}
