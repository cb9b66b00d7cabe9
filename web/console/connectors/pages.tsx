import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SearchField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/words.tsx'
import { Connection } from './connection.tsx'
import { connectorsQuery } from './connectors.ts'

export { ConfirmPage } from './confirm.tsx'
export { ConnectorPage } from './connector.tsx'

/** Beyond this a name is easier typed than found. */
const manyConnectors = 12

export function ConnectorsPage() {
  const query = useQuery(connectorsQuery)
  const [sought, setSought] = useState('')
  return (
    <Page
      title="Connectors"
      lead="Services elsewhere that you connect: allowed there, never with a password here. Programs of yours can then act in them; agents cannot."
    >
      <Loaded query={query}>
        {(connectors) => {
          const shown = connectors.filter(({ name }) => name.toLowerCase().includes(sought.trim().toLowerCase()))
          return connectors.length === 0 ? (
            <p className="empty">This deployment offers no connectors.</p>
          ) : (
            <>
              {connectors.length > manyConnectors && (
                <SearchField label="Find a connector" value={sought} onSeek={setSought} />
              )}
              {shown.length === 0 && <p className="empty">None is called so.</p>}
              <ul className="cards">
                {shown.map((connector) => (
                  <li key={connector.slug}>
                    <div className="page-head">
                      <h2>
                        <Link to="/connectors/$connector" params={{ connector: connector.slug }}>
                          {connector.name}
                        </Link>
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
