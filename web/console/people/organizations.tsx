import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Fold, Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Status } from '../parts/words.tsx'
import { useNames } from './names.ts'

/** Name of all queries of this page. */
const queryName = 'organizations'
const membersRoute = '/api/organizations/members'

export function OrganizationsPage() {
  const memberships = useOrganizations('member')
  const invitations = useOrganizations('invited')
  return (
    <Page
      title="Organizations"
      lead="Share artists, catalogs and credits. Members can act for each other and for the organization."
    >
      <Loaded query={invitations}>
        {(organizations) =>
          organizations.map(({ organization_id: id, organization_name: name }) => (
            <div key={id} className="notice">
              <p>{name ?? 'An organization'} invited you to join.</p>
              <Action name="Accept" isPrimary onAct={() => accept(id)} />
            </div>
          ))
        }
      </Loaded>
      <Loaded
        query={memberships}
        empty="You are not in an organization. Create one to share artists, catalogs and credits."
      >
        {(organizations) =>
          organizations.map(({ organization_id: id, organization_name: name }) => (
            <Section key={id} title={name ?? 'Unnamed organization'}>
              <Members organizationId={id} organizationName={name ?? 'the unnamed organization'} />
            </Section>
          ))
        }
      </Loaded>
      <Fold title="New organization">
        <Form submit="Create" resets onSubmit={(fields) => create(fields.text('name'))}>
          <TextField name="name" label="Name" required maxLength={200} />
        </Form>
      </Fold>
    </Page>
  )
}

function accept(id: string): Promise<unknown> {
  return refreshAfter(api.POST('/api/organizations/members/accept', { body: { organization_id: id } }), queryName)
}

function create(name: string): Promise<unknown> {
  return refreshAfter(api.POST('/api/organizations', { body: { name } }), queryName)
}

function useOrganizations(state: 'member' | 'invited') {
  const input = { query: { state, limit: 100 } }
  return useGet(queryName, '/api/organizations', input, { select: ({ organizations }) => organizations })
}

type MembersProps = { organizationId: string; organizationName: string }

function Members({ organizationId, organizationName }: MembersProps) {
  const { accountId } = useCredential()
  const formatName = useNames()
  const input = { query: { organization_id: organizationId, limit: 200 } }
  const query = useGet(queryName, membersRoute, input, { select: ({ members }) => members })
  return (
    <>
      <Loaded query={query}>
        {(members) => (
          <Table
            caption={`Members of ${organizationName}`}
            rows={members}
            rowKey={({ id }) => id}
            columns={[
              { name: 'Name', value: ({ name, account_id: id }) => formatName({ id, name }) },
              { name: 'State', show: ({ state }) => <Status of={state} />, value: ({ state }) => state },
              {
                name: 'Change',
                show: ({ account_id: id }) => (
                  <Action
                    name={id === accountId ? 'Leave' : 'Remove'}
                    confirm={id === accountId ? 'Leave this organization?' : 'Remove this member?'}
                    onAct={() => {
                      const query = { organization_id: organizationId, account_id: id }
                      return refreshAfter(api.DELETE(membersRoute, { query }), queryName)
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Form
        className="filters"
        submit="Invite"
        resets
        onSubmit={(fields) => {
          const body = { organization_id: organizationId, email: fields.text('email') }
          return refreshAfter(api.POST(membersRoute, { body }), queryName)
        }}
      >
        <TextField name="email" label="Invite by email address" type="email" required />
      </Form>
    </>
  )
}
