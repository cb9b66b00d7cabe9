import { Button, NativeSelect } from '@mantine/core'
import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../access/api.ts'
import type { Data } from '../access/calls.ts'
import { refreshAfter } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { promptUser } from '../parts/dialogs/dialogs.ts'
import { useWaitingRuns } from '../inbox/waiting.ts'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Status, Time } from '../parts/words.tsx'

const refetchMs = 4000

/** Sessions of the signed-in account, refetched at an interval. */
export function Sessions({ current }: { current?: string }) {
  const { data: waiting = [] } = useWaitingRuns()
  const [status, setStatus] = useState<'active' | 'archived'>('active')
  const list = useOffsetList(
    ['sessions', status],
    (range) => api.GET('/api/sessions', { query: { status, ...range } }),
    ({ sessions }) => sessions,
    refetchMs,
  )
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

type SessionItem = Data<'get', '/api/sessions'>['sessions'][number]
type RowProps = { session: SessionItem; isCurrent: boolean; isWaiting: boolean }

function SessionRow({ session, isCurrent, isWaiting }: RowProps) {
  const { id, title, latestChatId, hasUnread, hasStreaming, lastActivityAt } = session
  const name = title || 'Untitled'
  return (
    <li data-current={isCurrent}>
      {latestChatId === null ? <span>{name}</span> : <Link to={`/chat/${id}/${latestChatId}`}>{name}</Link>}
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
  const navigate = useNavigate()
  const path = { sessionId: id }
  const change = (body: { title?: string; status?: 'running' | 'archived' }) =>
    refreshAfter(api.PATCH('/api/sessions/{sessionId}', { path, body }), 'sessions')
  const rename = async (): Promise<void> => {
    const newTitle = await promptUser({ question: 'Title of this session', confirmLabel: 'Rename', text: title })
    if (newTitle !== undefined && newTitle !== '') await change({ title: newTitle })
  }
  const remove = async (): Promise<void> => {
    await refreshAfter(api.DELETE('/api/sessions/{sessionId}', { path }), 'sessions')
    await navigate({ to: '/chat' })
  }
  return (
    <span className="session-actions">
      <Action name="Rename" onAct={rename} />
      {status === 'archived' ? (
        <Action name="Restore" onAct={() => change({ status: 'running' })} />
      ) : (
        <Action name="Archive" onAct={() => change({ status: 'archived' })} />
      )}
      <Action name="Delete" confirm="Delete this session with its chats and files?" onAct={remove} />
    </span>
  )
}
