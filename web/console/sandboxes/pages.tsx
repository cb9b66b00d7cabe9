import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { startSandbox } from '../chat/session-calls.ts'
import { Action } from '../parts/action.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Loaded, Rows } from '../parts/loaded.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { Status, Time } from '../parts/words.tsx'

const lookMs = 5000

export function SandboxesPage() {
  const list = useOffsetList({
    key: ['sessions', 'active', 'sandboxes'],
    fetchPage: async (offset) => {
      const query = { status: 'active' as const, limit: pageSize, offset }
      return (await read(api.GET('/api/sessions', { params: { query } }))).sessions
    },
  })
  return (
    <Page
      title="Sandboxes"
      lead="Where the agent’s commands run: one for each session, asleep while nobody needs it, and a personal one."
    >
      <PersonalSandbox />
      <Section title="Of sessions">
        <Rows list={list} empty={<p>No session yet: each chat that you begin has one.</p>}>
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
    </Page>
  )
}

function SessionSandbox({ sessionId }: { sessionId: string }) {
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['sandbox', sessionId],
    queryFn: () => read(api.GET('/api/sandbox/status', { params: { query: { sessionId } } })),
    refetchInterval: lookMs,
  })
  const after = async (changing: Promise<unknown>): Promise<void> => {
    await changing
    await queries.invalidateQueries({ queryKey: ['sandbox', sessionId] })
  }
  return (
    <Loaded query={query}>
      {({ status, hasSnapshot, lifecycle }) => (
        <>
          <Facts
            facts={[
              ['State', <Status key="state" of={lifecycle.state ?? 'none'} />],
              ['Snapshot', hasSnapshot ? 'kept' : 'none'],
              ['Sleeps', <Time key="sleeps" at={lifecycle.hibernateAfter} />],
              ['Ends', <Time key="ends" at={lifecycle.sandboxExpiresAt} />],
            ]}
          />
          {status === 'active' ? (
            <Action onAct={() => after(read(api.POST('/api/sandbox/extend', { body: { sessionId } })))}>
              Run longer
            </Action>
          ) : (
            <Action onAct={() => after(startSandbox(sessionId))}>{hasSnapshot ? 'Wake' : 'Start'}</Action>
          )}
        </>
      )}
    </Loaded>
  )
}

function PersonalSandbox() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['personal-sandbox'],
    queryFn: () => read(api.GET('/api/sandboxes', { params: { query: {} } })),
  })
  const setUp = async (): Promise<void> => {
    const { runId } = await read(api.POST('/api/sandboxes/setup', { body: {} }))
    await navigate({ to: '/runs/$runId', params: { runId } })
  }
  const remove = async (): Promise<void> => {
    await read(api.DELETE('/api/sandboxes', { body: {} }))
    await queries.invalidateQueries({ queryKey: ['personal-sandbox'] })
  }
  return (
    <Section title="Personal">
      <Loaded query={query}>
        {({ sandboxes, snapshot_id: snapshot, github_repo: repository, filetree: files }) => (
          <>
            <Facts
              facts={[
                [
                  'State',
                  sandboxes[0] === undefined ? 'none runs' : <Status key="state" of={sandboxes[0].sandboxStatus} />,
                ],
                ['Snapshot', snapshot === null ? 'none' : <code key="snapshot">{snapshot}</code>],
                ['Source', repository ?? 'none'],
                ['Files', files === null ? 'none' : `${files.filter(({ type }) => type === 'blob').length}`],
              ]}
            />
            <div className="buttons">
              <Action onAct={setUp}>{snapshot === null ? 'Set it up' : 'Set it up anew'}</Action>
              {snapshot !== null && (
                <Action onAct={remove} confirm="Delete the personal sandbox and its snapshot?">
                  Delete
                </Action>
              )}
            </div>
            {files !== null && files.length > 0 && (
              <details>
                <summary>Files</summary>
                <ul className="plain-list">
                  {files.slice(0, 500).map(({ path, type }) => (
                    <li key={path}>
                      <code>
                        {path}
                        {type === 'tree' ? '/' : ''}
                      </code>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
