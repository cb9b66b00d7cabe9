import { useTitle } from '../parts/page.tsx'
import { NewChat } from './begin/new-chat.tsx'
import { Sessions } from './sessions.tsx'

/** Start page of the chats. It does not import the AI SDK, which loads with the first input. */
export function ChatHome() {
  useTitle('Chat')
  return (
    <div className="chat-page home" onInput={() => void import('./pages.tsx')}>
      <Sessions />
      <NewChat />
    </div>
  )
}
