import { useTitle } from '../parts/page.tsx'
import { NewChat } from './begin/new-chat.tsx'
import { Sessions } from './sessions.tsx'

/** Comes without the AI SDK, which is loaded when somebody begins to write. */
export function ChatHome() {
  useTitle('Chat')
  return (
    <div className="chat-page home" onFocus={() => void import('./pages.tsx')}>
      <Sessions />
      <NewChat />
    </div>
  )
}
