import { useSetPageTitle } from '../parts/title.ts'
import { NewChat } from './begin/new-chat.tsx'
import { Sessions } from './sessions.tsx'

/** Start page of the chats. It does not import the AI SDK, which loads when the user starts to type. */
export function ChatHome() {
  useSetPageTitle('Chat')
  return (
    <div className="chat-page home" onInput={() => void import('./pages.tsx')}>
      <Sessions />
      <NewChat />
    </div>
  )
}
