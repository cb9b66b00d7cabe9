import { useEffect, useState } from 'react'
import { useSetPageTitle } from '../parts/title.ts'
import { readCode, offerCode } from './connectors.ts'

/**
 * Page to which a service redirects the browser after consent. The connection is not established yet: the account that
 * started it must confirm it.
 */
export function ConsentReturnPage() {
  useSetPageTitle('Confirm the connection')
  const [code] = useState(readCode)
  const [isReceived, setReceived] = useState(false)
  useEffect(() => (code === undefined ? undefined : offerCode(code, () => setReceived(true))), [code])
  return (
    <main className="sign-in" id="content">
      <h1>Confirm the connection</h1>
      {code === undefined ? (
        <p>There is no connection to confirm in this tab.</p>
      ) : (
        <>
          {isReceived ? (
            <p>Return to the tab where you started and confirm the connection there. You can close this tab.</p>
          ) : (
            <p>
              You granted access at the service. To complete the connection, sign in with the account that started it
              and confirm it.
            </p>
          )}
          <p className="quiet">
            If you did not start this connection, close this page: nothing is connected, and the access is revoked
            within an hour.
          </p>
          <p>
            <a href={`/console/confirm#confirm=${encodeURIComponent(code)}`}>
              {isReceived ? 'Confirm it here instead' : 'Sign in and confirm'}
            </a>
          </p>
        </>
      )}
      <p>
        <a href="/console/connectors">Go to Connectors</a>
      </p>
    </main>
  )
}
