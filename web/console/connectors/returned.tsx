import { useEffect, useState } from 'react'
import { useTitle } from '../parts/page.tsx'
import { codeInAddress, offerCode } from './connectors.ts'

/** Where a service sends a browser back to. Nothing is connected yet: the account that began confirms it, signed in. */
export function Returned() {
  useTitle('Confirm the connection')
  const [code] = useState(codeInAddress)
  const [isTaken, setTaken] = useState(false)
  useEffect(() => (code === undefined ? undefined : offerCode(code, () => setTaken(true))), [code])
  return (
    <main className="sign-in" id="content">
      <h1>Confirm the connection</h1>
      {code === undefined ? (
        <p>Nothing waits to be confirmed in this tab.</p>
      ) : (
        <>
          {isTaken ? (
            <p>Go back to the tab where you began, and confirm it there. This one can be closed.</p>
          ) : (
            <p>
              You allowed access at the service. Nothing is connected yet: sign in with the account that began this, and
              confirm it.
            </p>
          )}
          <p className="quiet">
            Did you not begin this yourself? Then close this page: nothing is connected, and the access is revoked
            within the hour.
          </p>
          <p>
            <a href={`/console/confirm#confirm=${encodeURIComponent(code)}`}>
              {isTaken ? 'Confirm it here instead' : 'Sign in and confirm'}
            </a>
          </p>
        </>
      )}
      <p>
        Or <a href="/console/connectors">open the connectors</a>.
      </p>
    </main>
  )
}
