import './live/no-eval.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { explain } from '../access/failure.ts'
import { Failed, Loading } from '../parts/loaded.tsx'
import { useSetPageTitle } from '../parts/title.ts'
import { LiveChat } from './live/live-chat.tsx'
import { loadChat } from './live/loading.ts'
import { Sessions } from './sessions.tsx'

export function ChatPage() {
  const { sessionId = '', chatId = '' } = useParams({ strict: false })
  return (
    <div className="chat-page">
      <Sessions current={sessionId} />
      <Conversation key={chatId} sessionId={sessionId} chatId={chatId} />
    </div>
  )
}

function Conversation({ sessionId, chatId }: { sessionId: string; chatId: string }) {
  const chatIds = { sessionId, chatId }
  // Loaded once. The chat then receives updates from its stream.
  const chat = useQuery({
    queryKey: ['chat', chatId],
    queryFn: () => loadChat(chatIds),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  if (chat.data === undefined) return <LoadingOrFailed error={chat.error} onRetry={() => void chat.refetch()} />
  return (
    <LiveChat key={chat.dataUpdatedAt} chatIds={chatIds} initialChat={chat.data} onReload={() => void chat.refetch()} />
  )
}

function LoadingOrFailed({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  useSetPageTitle('Chat')
  return (
    <section className="conversation">
      {error === null ? <Loading /> : <Failed error={new Error(explain(error))} onRetry={onRetry} />}
    </section>
  )
}
