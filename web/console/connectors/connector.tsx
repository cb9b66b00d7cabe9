import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { useGet } from '../access/queries.ts'
import { SearchField } from '../parts/form.tsx'
import { Loaded, LoadedPage } from '../parts/loaded.tsx'
import { Fold, Page, Section } from '../parts/page.tsx'
import { Status } from '../parts/words.tsx'
import { ActionForm } from './action-form.tsx'
import { Connection } from './connection.tsx'
import { useConnectors } from './connectors.ts'

const actionsPerPage = 25

export function ConnectorPage() {
  const { connector: slug = '' } = useParams({ strict: false })
  const query = useConnectors((connectors) => {
    const connector = connectors.find((candidate) => candidate.slug === slug)
    if (connector === undefined) throw new Error('This connector does not exist.')
    return connector
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
  const [limit, setLimit] = useState(actionsPerPage)
  const input = { query: { connector: slug, ...forAccount() } }
  const query = useGet('connectors', '/api/connectors/actions', input, { select: ({ actions }) => actions })
  return (
    <Section title="Actions">
      {!isConnected && <p className="notice">Connect this service to execute its actions.</p>}
      <Loaded query={query} empty="This connector has no actions.">
        {(actions) => {
          const text = search.trim().toLowerCase()
          const matches = actions.filter(({ name, actionSlug }) => `${name} ${actionSlug}`.toLowerCase().includes(text))
          return (
            <>
              {actions.length > actionsPerPage && (
                <SearchField label="Find an action" value={search} onSearch={setSearch} />
              )}
              {matches.length === 0 && <p className="empty">No action matches.</p>}
              {matches.slice(0, limit).map((action) => (
                <Fold key={action.actionSlug} title={action.name}>
                  <ActionForm action={action} isConnected={isConnected} />
                </Fold>
              ))}
              {matches.length > limit && (
                <Button variant="default" onClick={() => setLimit(limit + actionsPerPage)}>
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
