import { useTitle } from '../parts/page.tsx'
import { NewChat } from './begin/new-chat.tsx'
import { Sessions } from './sessions.tsx'

/** Does not import the AI SDK, which loads when the person starts to type. */
export function ChatHome() {
  useTitle('Chat')
  return (
    <div className="chat-page home" onFocus={() => void import('./pages.tsx')}>
      <Sessions />
      <NewChat />
    </div>
  )
}
