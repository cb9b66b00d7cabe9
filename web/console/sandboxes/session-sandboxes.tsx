import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { startSandbox } from '../chat/session-calls.ts'
import { Action } from '../parts/action.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Loaded, Rows } from '../parts/loaded.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { Status, Time } from '../parts/words.tsx'

const refetchMs = 5000

export function SessionSandboxes() {
  const list = useOffsetList({
    key: ['sessions', 'active', 'sandboxes'],
    fetchPage: async (offset) => {
      const query = { status: 'active' as const, limit: pageSize, offset }
      return { rows: (await read(api.GET('/api/sessions', { params: { query } }))).sessions }
    },
  })
  return (
    <Section title="Session sandboxes">
      <Rows list={list} empty={<p>No sessions yet. Every new chat creates one.</p>}>
        {(sessions) => (
          <ul className="cards">
            {sessions.map(({ id, title, latestChatId }) => (
              <li key={id}>
                <h3>
                  {latestChatId === null ? (
                    title
                  ) : (
                    <Link to="/chat/$sessionId/$chatId" params={{ sessionId: id, chatId: latestChatId }}>
                      {title || 'Untitled'}
                    </Link>
                  )}
                </h3>
                <SessionSandbox sessionId={id} />
              </li>
            ))}
          </ul>
        )}
      </Rows>
    </Section>
  )
}

function SessionSandbox({ sessionId }: { sessionId: string }) {
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['sandbox', sessionId],
    queryFn: () => read(api.GET('/api/sandbox/status', { params: { query: { sessionId } } })),
    refetchInterval: refetchMs,
  })
  const refreshAfter = async (change: Promise<unknown>): Promise<void> => {
    await change
    await queries.invalidateQueries({ queryKey: ['sandbox', sessionId] })
  }
  return (
    <Loaded query={query}>
      {({ status, hasSnapshot, lifecycle }) => (
        <>
          <Facts
            facts={[
              ['Status', <Status key="status" of={lifecycle.state ?? 'none'} />],
              ['Snapshot', hasSnapshot ? 'available' : 'none'],
              ['Hibernates', <Time key="hibernates" at={lifecycle.hibernateAfter} />],
              ['Expires', <Time key="expires" at={lifecycle.sandboxExpiresAt} />],
            ]}
          />
          {status === 'active' ? (
            <Action onAct={() => refreshAfter(read(api.POST('/api/sandbox/extend', { body: { sessionId } })))}>
              Extend
            </Action>
          ) : (
            <Action onAct={() => refreshAfter(startSandbox(sessionId))}>{hasSnapshot ? 'Resume' : 'Start'}</Action>
          )}
        </>
      )}
    </Loaded>
  )
}
