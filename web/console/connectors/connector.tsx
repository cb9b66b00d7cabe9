import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { SearchField } from '../parts/form.tsx'
import { Loaded, LoadedPage } from '../parts/loaded.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Status } from '../parts/words.tsx'
import { ActionForm } from './action-form.tsx'
import { Connection } from './connection.tsx'
import { connectorsQuery } from './connectors.ts'

const shownPerStep = 25

export function ConnectorPage() {
  const { connector: slug = '' } = useParams({ strict: false })
  const query = useQuery({
    ...connectorsQuery,
    select: (connectors) => {
      const found = connectors.find((connector) => connector.slug === slug)
      if (found === undefined) throw new Error('This connector does not exist.')
      return found
    },
  })
  return (
    <LoadedPage title="Connector" query={query}>
      {(connector) => (
        <Page title={connector.name} actions={<Status of={connector.isConnected ? 'connected' : 'not connected'} />}>
          <Connection connector={connector} />
          <Actions slug={slug} isConnected={connector.isConnected} />
        </Page>
      )}
    </LoadedPage>
  )
}

function Actions({ slug, isConnected }: { slug: string; isConnected: boolean }) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(shownPerStep)
  const query = useQuery({
    queryKey: ['connectors', slug, 'actions'],
    queryFn: async () =>
      (await read(api.GET('/api/connectors/actions', { params: { query: { connector: slug, ...forAccount() } } })))
        .actions,
  })
  return (
    <Section title="Actions">
      {!isConnected && <p className="notice">Connect this service to execute its actions.</p>}
      <Loaded query={query}>
        {(actions) => {
          const words = search.trim().toLowerCase()
          const found = actions.filter(({ name, actionSlug }) => `${name} ${actionSlug}`.toLowerCase().includes(words))
          return actions.length === 0 ? (
            <p className="empty">This connector has no actions.</p>
          ) : (
            <>
              {actions.length > shownPerStep && (
                <SearchField label="Find an action" value={search} onSearch={setSearch} />
              )}
              {found.length === 0 && <p className="empty">No action matches.</p>}
              {found.slice(0, shown).map((action) => (
                <details key={action.actionSlug} className="fold">
                  <summary>{action.name}</summary>
                  <ActionForm action={action} isConnected={isConnected} />
                </details>
              ))}
              {found.length > shown && (
                <Button variant="default" onClick={() => setShown(shown + shownPerStep)}>
                  Show more
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
