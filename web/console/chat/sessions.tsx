import { Button, NativeSelect } from '@mantine/core'
import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { promptUser } from '../parts/dialogs/dialogs.ts'
import { useWaitingRuns } from '../inbox/waiting.ts'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Status, Time } from '../parts/words.tsx'

const refetchMs = 4000

/** Sessions of the signed-in account, refetched at an interval. */
export function Sessions({ current }: { current?: string }) {
  const { data: waiting = [] } = useWaitingRuns()
  const [status, setStatus] = useState<'active' | 'archived'>('active')
  const list = useOffsetList({
    key: ['sessions', status],
    fetchPage: async (offset) => {
      const query = { status, limit: pageSize, offset }
      return { rows: (await read(api.GET('/api/sessions', { params: { query } }))).sessions }
    },
    refetchMs,
  })
  return (
    <section className="sessions" aria-label="Sessions">
      <div className="buttons">
        <Button
          size="sm"
          variant="light"
          leftSection={<IconPlus aria-hidden size={16} />}
          renderRoot={(props) => <Link to="/chat" {...props} />}
        >
          New chat
        </Button>
        <NativeSelect
          aria-label="Session status"
          value={status}
          onChange={({ target }) => setStatus(target.value as 'active')}
        >
          <option value="active">Active</option>
          <option value="archived">Archived</option>
        </NativeSelect>
      </div>
      <Rows
        list={list}
        empty={<p className="quiet">{status === 'active' ? 'No chats yet.' : 'No archived sessions.'}</p>}
      >
        {(sessions) => (
          <ul className="plain-list">
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isCurrent={session.id === current}
                isWaiting={waiting.some(({ sessionId }) => sessionId === session.id)}
              />
            ))}
          </ul>
        )}
      </Rows>
    </section>
  )
}

type SessionItem = {
  id: string
  title: string
  status: string
  hasUnread: boolean
  hasStreaming: boolean
  lastActivityAt: string
  latestChatId: string | null
}

type RowProps = { session: SessionItem; isCurrent: boolean; isWaiting: boolean }

function SessionRow({ session, isCurrent, isWaiting }: RowProps) {
  const { id, title, latestChatId, hasUnread, hasStreaming, lastActivityAt } = session
  const name = title || 'Untitled'
  return (
    <li data-current={isCurrent}>
      {latestChatId === null ? (
        <span>{name}</span>
      ) : (
        <Link to="/chat/$sessionId/$chatId" params={{ sessionId: id, chatId: latestChatId }}>
          {name}
        </Link>
      )}
      <small className="quiet">
        {hasStreaming ? <Status of="answering" /> : <Time at={lastActivityAt} />}
        {isWaiting && !hasStreaming && <Status of="waiting for you" />}
        {hasUnread && !hasStreaming && !isCurrent && !isWaiting && <Status of="unread" />}
      </small>
      {isCurrent && <SessionActions session={session} />}
    </li>
  )
}

function SessionActions({ session: { id, title, status } }: { session: SessionItem }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const change = async (body: { title?: string; status?: 'running' | 'archived' }): Promise<void> => {
    await read(api.PATCH('/api/sessions/{sessionId}', { params: { path: { sessionId: id } }, body }))
    await queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  const rename = async (): Promise<void> => {
    const newTitle = await promptUser({ question: 'Title of this session', confirmLabel: 'Rename', text: title })
    if (newTitle !== undefined && newTitle !== '') await change({ title: newTitle })
  }
  const remove = async (): Promise<void> => {
    await read(api.DELETE('/api/sessions/{sessionId}', { params: { path: { sessionId: id } } }))
    await queries.invalidateQueries({ queryKey: ['sessions'] })
    await navigate({ to: '/chat' })
  }
  return (
    <span className="session-actions">
      <Action onAct={rename}>Rename</Action>
      {status === 'archived' ? (
        <Action onAct={() => change({ status: 'running' })}>Restore</Action>
      ) : (
        <Action onAct={() => change({ status: 'archived' })}>Archive</Action>
      )}
      <Action onAct={remove} confirm="Delete this session with its chats and files?">
        Delete
      </Action>
    </span>
  )
}
