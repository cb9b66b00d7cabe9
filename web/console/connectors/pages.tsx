import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SearchField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/words.tsx'
import { Connection } from './connection.tsx'
import { useConnectors } from './connectors.ts'

export { ConfirmPage } from './confirm.tsx'
export { ConnectorPage } from './connector.tsx'

/** With more connectors, the page shows a search field. */
const maxWithoutSearch = 12

export function ConnectorsPage() {
  const query = useConnectors((connectors) => connectors)
  const [search, setSearch] = useState('')
  return (
    <Page
      title="Connectors"
      lead="Connect accounts at other services. You grant access at the service and never enter its password here. Your programs can then use the account, but agents cannot."
    >
      <Loaded query={query} empty="This deployment offers no connectors.">
        {(connectors) => {
          const matches = connectors.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
          return (
            <>
              {connectors.length > maxWithoutSearch && (
                <SearchField label="Find a connector" value={search} onSearch={setSearch} />
              )}
              {matches.length === 0 && <p className="empty">No connector matches.</p>}
              <ul className="cards">
                {matches.map((connector) => (
                  <li key={connector.slug}>
                    <div className="page-head">
                      <h2>
                        <Link to={`/connectors/${connector.slug}`}>{connector.name}</Link>
                      </h2>
                      <Status of={connector.isConnected ? 'connected' : 'not connected'} />
                    </div>
                    <Connection connector={connector} />
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
