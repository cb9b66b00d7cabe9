import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'
import { read } from '../access/failure.ts'
import { signOut } from '../access/sign-in/stay.ts'
import { Action } from '../parts/action.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { formatDateTime, Status, Time } from '../parts/words.tsx'
import { describeBrowser } from './browsers.ts'

export function AccountPage() {
  const { accountId, email, secret, isAdmin } = useCredential()
  return (
    <Page
      title="Your account"
      lead={
        <>
          People sign in here; programs use <Link to="/keys">keys</Link>.
        </>
      }
    >
      <Section title="Identity">
        <Facts
          facts={[
            ['Signed in as', email ?? '–'],
            ['Account ID', <code key="id">{accountId}</code>],
            ['Signed in with', 'key' in secret ? 'an API key, until this page is reloaded' : 'the identity provider'],
            ['Operator', isAdmin ? 'yes' : 'no'],
          ]}
        />
      </Section>
      <SignIns />
    </Page>
  )
}

/** Browsers that stay signed in, each with a button that signs the browser out. */
function SignIns() {
  const queries = useQueryClient()
  const list = useOffsetList({
    key: ['sign-ins'],
    fetchPage: async (offset) => {
      const params = { query: { limit: pageSize, offset } }
      return { rows: (await read(api.GET('/api/console/sign-ins', { params }))).signIns }
    },
  })
  const endSignIn = async (signInId: string): Promise<void> => {
    await read(api.DELETE('/api/console/sign-ins/{signInId}', { params: { path: { signInId } } }))
    await queries.invalidateQueries({ queryKey: ['sign-ins'] })
  }
  return (
    <Section title="Signed-in browsers">
      <p className="quiet">
        These browsers stay signed in until the time shown. Sign out browsers that you do not recognize. They lose
        access within a second.
      </p>
      <Rows list={list} empty={<p>No browser stays signed in. A sign-in with a key ends when the page is reloaded.</p>}>
        {(signIns) => (
          <Table
            caption="Signed-in browsers"
            rows={signIns}
            rowKey={({ id }) => id}
            columns={[
              {
                name: 'Browser',
                show: ({ userAgent, isCurrent }) => (
                  <span className="buttons" title={userAgent}>
                    {describeBrowser(userAgent)} {isCurrent && <Status of="this browser" />}
                  </span>
                ),
              },
              { name: 'Signed in', show: ({ createdAt }) => <Time at={createdAt} /> },
              { name: 'Last used', show: ({ lastUsed }) => <Time at={lastUsed} /> },
              { name: 'Expires', show: ({ expiresAt }) => formatDateTime(expiresAt) },
              {
                name: 'Actions',
                show: ({ id, isCurrent, userAgent }) => (
                  <Action
                    label={`Sign out: ${describeBrowser(userAgent)}`}
                    onAct={() => (isCurrent ? signOut() : endSignIn(id))}
                  >
                    Sign out
                  </Action>
                ),
              },
            ]}
          />
        )}
      </Rows>
    </Section>
  )
}
