import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'
import { refreshAfter } from '../access/queries.ts'
import { signOut } from '../access/sign-in/stay.ts'
import { Action } from '../parts/buttons/action.tsx'
import { useOffsetList } from '../parts/lists.ts'
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
  const list = useOffsetList(
    ['sign-ins'],
    (query) => api.GET('/api/console/sign-ins', { query }),
    ({ signIns }) => signIns,
  )
  return (
    <Section title="Signed-in browsers">
      <p className="quiet">
        These browsers stay signed in until the time shown. Sign out browsers that you do not recognize. They lose
        access within a second.
      </p>
      <Rows list={list} empty="No browser stays signed in. A sign-in with a key ends when the page is reloaded.">
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
                    name="Sign out"
                    label={`Sign out: ${describeBrowser(userAgent)}`}
                    onAct={() => (isCurrent ? signOut() : endSignIn(id))}
                  />
                ),
              },
            ]}
          />
        )}
      </Rows>
    </Section>
  )
}

function endSignIn(signInId: string): Promise<unknown> {
  return refreshAfter(api.DELETE('/api/console/sign-ins/{signInId}', { path: { signInId } }), 'sign-ins')
}
