import { useEffect } from 'react'
import { useTitle } from '../parts/page.tsx'
import { tellReturn } from './connectors.ts'

/** Where a service sends a browser back to. It needs no sign-in, and knows nothing of what became of the connection. */
export function Returned() {
  useTitle('Back from the service')
  useEffect(tellReturn, [])
  return (
    <main className="sign-in" id="content">
      <h1>Back from the service</h1>
      <p>Go back to the tab where you began: it shows what is connected now. This one can be closed.</p>
      <p>
        Or <a href="/console/connectors">open the connectors here</a>, and sign in again.
      </p>
    </main>
  )
}
