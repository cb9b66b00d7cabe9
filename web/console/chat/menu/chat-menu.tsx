import { Menu } from '@mantine/core'
import IconFoldDown from '@tabler/icons-react/icons/IconFoldDown'
import IconShare from '@tabler/icons-react/icons/IconShare'
import { useState, type ReactElement } from 'react'
import { api } from '../../access/api.ts'
import { refresh } from '../../access/queries.ts'
import { showSuccess, showError } from '../../parts/toasts/toasts.ts'
import type { ChatIds } from '../live/turn-request.ts'
import { ShareDialog } from './share-dialog.tsx'

type Props = { chatIds: ChatIds; button: ReactElement }

/** Menu of a chat. Initially open, because its script loads when the user presses the button. */
export function ChatMenu({ chatIds, button }: Props) {
  const [isShareDialogOpen, setShareDialogOpen] = useState(false)
  const summarize = async (): Promise<void> => {
    showSuccess('Summarizing the earlier messages …')
    const path = { chatId: chatIds.chatId }
    try {
      const { summary } = await api.POST('/api/chat/{chatId}/compact', { path })
      showSuccess(`The model will read a summary instead of ${summary.messages} messages.`)
      await refresh('summaries')
    } catch (error) {
      showError(error)
    }
  }
  return (
    <>
      <Menu defaultOpened position="bottom-end" width={250} transitionProps={{ duration: 0 }}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconShare aria-hidden size={16} />} onClick={() => setShareDialogOpen(true)}>
            Share
          </Menu.Item>
          <Menu.Item leftSection={<IconFoldDown aria-hidden size={16} />} onClick={() => void summarize()}>
            Summarize earlier messages
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isShareDialogOpen && <ShareDialog chatIds={chatIds} onClose={() => setShareDialogOpen(false)} />}
    </>
  )
}
