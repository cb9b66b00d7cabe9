import { Spotlight, spotlight } from '@mantine/spotlight'
import IconMessages from '@tabler/icons-react/icons/IconMessages'
import IconMicrophone2 from '@tabler/icons-react/icons/IconMicrophone2'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import IconTimeline from '@tabler/icons-react/icons/IconTimeline'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { forAccount } from '../access/acting.ts'
import { useGet } from '../access/queries.ts'
import { useNavigationGroups } from '../shell/navigation.tsx'
import { useArtists } from '../tasks/artist-choice.tsx'

const maxItems = 50
const maxMatches = 12

/** Searches the pages, the newest chats and runs, and the artists. Calls `onClose` after the palette has closed. */
export function Palette({ onClose }: { onClose: () => void }) {
  useEffect(() => spotlight.open(), [])
  return (
    <Spotlight
      actions={useActions()}
      limit={maxMatches}
      shortcut={null}
      attributes={{ content: { 'aria-label': 'Palette' } }}
      nothingFound="No matches. The palette searches pages, artists, and the newest chats and runs."
      searchProps={{
        leftSection: <IconSearch aria-hidden size={18} stroke={1.6} />,
        placeholder: 'Go to a page, chat, run or artist',
        'aria-label': 'Search',
      }}
      onSpotlightClose={onClose}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    />
  )
}

function useActions() {
  const navigate = useNavigate()
  const groups = useNavigationGroups()
  const sessionsQuery = { query: { status: 'active' as const, limit: maxItems, offset: 0 } }
  const sessions = useGet('palette', '/api/sessions', sessionsQuery).data?.sessions ?? []
  const runs = useGet('palette', '/api/runs', { query: { limit: maxItems, ...forAccount() } }).data?.runs ?? []
  const artists = useArtists().data ?? []
  return [
    {
      group: 'Pages',
      actions: groups
        .flatMap(({ entries }) => entries)
        .map(({ to, label, Icon }) => ({
          id: to,
          label,
          leftSection: <Icon aria-hidden size={18} stroke={1.6} />,
          onClick: () => void navigate({ to }),
        })),
    },
    {
      group: 'Chats',
      actions: sessions.flatMap(({ id, title, latestChatId: chatId }) =>
        chatId === null
          ? []
          : {
              id,
              label: title,
              leftSection: <IconMessages aria-hidden size={18} stroke={1.6} />,
              onClick: () => void navigate({ to: `/chat/${id}/${chatId}` }),
            },
      ),
    },
    {
      group: 'Runs',
      actions: runs.map(({ id, title, kind, status }) => ({
        id,
        label: title ?? kind.replaceAll('-', ' '),
        description: `${status} · ${id}`,
        leftSection: <IconTimeline aria-hidden size={18} stroke={1.6} />,
        onClick: () => void navigate({ to: `/runs/${id}` }),
      })),
    },
    {
      group: 'Artists',
      actions: artists.map(({ account_id: id, name }) => ({
        id,
        label: name ?? 'Unnamed artist',
        leftSection: <IconMicrophone2 aria-hidden size={18} stroke={1.6} />,
        onClick: () => void navigate({ to: `/artists/${id}` }),
      })),
    },
  ]
}
