import { Spotlight, spotlight } from '@mantine/spotlight'
import IconMessages from '@tabler/icons-react/icons/IconMessages'
import IconMicrophone2 from '@tabler/icons-react/icons/IconMicrophone2'
import IconSearch from '@tabler/icons-react/icons/IconSearch'
import IconTimeline from '@tabler/icons-react/icons/IconTimeline'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { useNavigationGroups } from '../shell/navigation.tsx'
import { artistsQuery } from '../tasks/artist-choice.tsx'

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
  const { data: sessions = [] } = useQuery({
    queryKey: ['palette', 'sessions'],
    queryFn: async () =>
      (await read(api.GET('/api/sessions', { params: { query: { status: 'active', limit: maxItems, offset: 0 } } })))
        .sessions,
  })
  const { data: runs = [] } = useQuery({
    queryKey: ['palette', 'runs'],
    queryFn: async () =>
      (await read(api.GET('/api/runs', { params: { query: { limit: maxItems, ...forAccount() } } }))).runs,
  })
  const { data: artists = [] } = useQuery(artistsQuery)
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
              onClick: () => void navigate({ to: '/chat/$sessionId/$chatId', params: { sessionId: id, chatId } }),
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
        onClick: () => void navigate({ to: '/runs/$runId', params: { runId: id } }),
      })),
    },
    {
      group: 'Artists',
      actions: artists.map(({ account_id: id, name }) => ({
        id,
        label: name ?? 'Unnamed artist',
        leftSection: <IconMicrophone2 aria-hidden size={18} stroke={1.6} />,
        onClick: () => void navigate({ to: '/artists/$artistId', params: { artistId: id } }),
      })),
    },
  ]
}
