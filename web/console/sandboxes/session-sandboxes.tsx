import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { startSandbox } from '../chat/session-calls.ts'
import { Action } from '../parts/buttons/action.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Loaded, Rows } from '../parts/loaded.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { Status, Time } from '../parts/words.tsx'

const refetchMs = 5000

export function SessionSandboxes() {
  const list = useOffsetList(
    ['sessions', 'active', 'sandboxes'],
    (range) => api.GET('/api/sessions', { query: { status: 'active', ...range } }),
    ({ sessions }) => sessions,
  )
  return (
    <Section title="Session sandboxes">
      <Rows list={list} empty="No sessions yet. Every new chat creates one.">
        {(sessions) => (
          <ul className="cards">
            {sessions.map(({ id, title, latestChatId }) => (
              <li key={id}>
                <h3>
                  {latestChatId === null ? (
                    title
                  ) : (
                    <Link to={`/chat/${id}/${latestChatId}`}>{title || 'Untitled'}</Link>
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
  const input = { query: { sessionId } }
  const query = useGet('sandbox', '/api/sandbox/status', input, { refetchInterval: refetchMs })
  const extend = () => refreshAfter(api.POST('/api/sandbox/extend', { body: { sessionId } }), 'sandbox')
  const start = () => refreshAfter(startSandbox(sessionId), 'sandbox')
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
            <Action name="Extend" onAct={extend} />
          ) : (
            <Action name={hasSnapshot ? 'Resume' : 'Start'} onAct={start} />
          )}
        </>
      )}
    </Loaded>
  )
}
