import { Menu } from '@mantine/core'
import IconFoldDown from '@tabler/icons-react/icons/IconFoldDown'
import IconShare from '@tabler/icons-react/icons/IconShare'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../access/api.ts'
import { explain, read } from '../../access/failure.ts'
import { showSuccess, showError } from '../../parts/toasts/toasts.ts'
import type { ChatIds } from '../live/turn-request.ts'
import { ShareDialog } from './share-dialog.tsx'

type Props = { chatIds: ChatIds; button: ReactElement }

/** Menu of a chat. Initially open, because its script loads when the user presses the button. */
export function ChatMenu({ chatIds, button }: Props) {
  const queries = useQueryClient()
  const [isShareDialogOpen, setShareDialogOpen] = useState(false)
  const summarize = async (): Promise<void> => {
    showSuccess('Summarizing the earlier messages …')
    const path = { chatId: chatIds.chatId }
    try {
      const { summary } = await read(api.POST('/api/chat/{chatId}/compact', { params: { path } }))
      showSuccess(`The model will read a summary instead of ${summary.messages} messages.`)
      await queries.invalidateQueries({ queryKey: ['summaries', chatIds.chatId] })
    } catch (error) {
      showError(explain(error))
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
