import { Menu } from '@mantine/core'
import IconFoldDown from '@tabler/icons-react/icons/IconFoldDown'
import IconShare from '@tabler/icons-react/icons/IconShare'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { api } from '../../access/api.ts'
import { explain, read } from '../../access/failure.ts'
import { showDone, showFault } from '../../parts/toasts/toasts.ts'
import type { ChatPlace } from '../live/turn-request.ts'
import { ShareDialog } from './share-dialog.tsx'

type Props = { place: ChatPlace; button: ReactElement }

/** Menu of a chat. It is open at first, because its script loads when the button is pressed. */
export function ChatMenu({ place, button }: Props) {
  const queries = useQueryClient()
  const [isShared, share] = useState(false)
  const summarize = async (): Promise<void> => {
    showDone('Summarizing the earlier messages …')
    const path = { chatId: place.chatId }
    try {
      const { summary } = await read(api.POST('/api/chat/{chatId}/compact', { params: { path } }))
      showDone(`The next answer reads a summary in place of ${summary.messages} messages.`)
      await queries.invalidateQueries({ queryKey: ['summaries', place.chatId] })
    } catch (error) {
      showFault(explain(error))
    }
  }
  return (
    <>
      <Menu defaultOpened position="bottom-end" width={250} transitionProps={{ duration: 0 }}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconShare aria-hidden size={16} />} onClick={() => share(true)}>
            Share
          </Menu.Item>
          <Menu.Item leftSection={<IconFoldDown aria-hidden size={16} />} onClick={() => void summarize()}>
            Summarize earlier messages
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isShared && <ShareDialog place={place} onClose={() => share(false)} />}
    </>
  )
}
