import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Status } from '../parts/words.tsx'
import { useNames } from './names.ts'

export function OrganizationsPage() {
  const queries = useQueryClient()
  const memberships = useOrganizations('member')
  const invitations = useOrganizations('invited')
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['organizations'] })
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
              <Action
                isPrimary
                onAct={async () => {
                  await read(api.POST('/api/organizations/members/accept', { body: { organization_id: id } }))
                  await refresh()
                }}
              >
                Accept
              </Action>
            </div>
          ))
        }
      </Loaded>
      <Loaded query={memberships}>
        {(organizations) =>
          organizations.length === 0 ? (
            <p className="empty">You are not in an organization. Create one to share artists, catalogs and credits.</p>
          ) : (
            organizations.map(({ organization_id: id, organization_name: name }) => (
              <Section key={id} title={name ?? 'Unnamed organization'}>
                <Members organizationId={id} organizationName={name ?? 'the unnamed organization'} onLeave={refresh} />
              </Section>
            ))
          )
        }
      </Loaded>
      <details className="fold">
        <summary>New organization</summary>
        <Form
          submit="Create"
          resets
          onSubmit={async (fields) => {
            await read(api.POST('/api/organizations', { body: { name: fields.text('name') } }))
            await refresh()
          }}
        >
          <TextField name="name" label="Name" required maxLength={200} />
        </Form>
      </details>
    </Page>
  )
}

function useOrganizations(state: 'member' | 'invited') {
  return useQuery({
    queryKey: ['organizations', state],
    queryFn: async () =>
      (await read(api.GET('/api/organizations', { params: { query: { state, limit: 100 } } }))).organizations,
  })
}

type MembersProps = { organizationId: string; organizationName: string; onLeave: () => Promise<void> }

function Members({ organizationId, organizationName, onLeave }: MembersProps) {
  const queries = useQueryClient()
  const { accountId } = useCredential()
  const formatName = useNames()
  const queryKey = ['organizations', organizationId, 'members']
  const query = useQuery({
    queryKey,
    queryFn: async () =>
      (
        await read(
          api.GET('/api/organizations/members', { params: { query: { organization_id: organizationId, limit: 200 } } }),
        )
      ).members,
  })
  return (
    <>
      <Loaded query={query}>
        {(members) => (
          <Table
            caption={`Members of ${organizationName}`}
            rows={members}
            rowKey={({ id }) => id}
            columns={[
              {
                name: 'Name',
                show: ({ name, account_id: id }) => formatName({ id, name }),
                value: ({ name, account_id: id }) => formatName({ id, name }),
              },
              { name: 'State', show: ({ state }) => <Status of={state} />, value: ({ state }) => state },
              {
                name: 'Change',
                show: ({ account_id: id }) => (
                  <Action
                    confirm={id === accountId ? 'Leave this organization?' : 'Remove this member?'}
                    onAct={async () => {
                      const query = { organization_id: organizationId, account_id: id }
                      await read(api.DELETE('/api/organizations/members', { params: { query } }))
                      await Promise.all([queries.invalidateQueries({ queryKey }), onLeave()])
                    }}
                  >
                    {id === accountId ? 'Leave' : 'Remove'}
                  </Action>
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
        onSubmit={async (fields) => {
          await read(
            api.POST('/api/organizations/members', {
              body: { organization_id: organizationId, email: fields.text('email') },
            }),
          )
          await queries.invalidateQueries({ queryKey })
        }}
      >
        <TextField name="email" label="Invite by email address" type="email" required />
      </Form>
    </>
  )
}
