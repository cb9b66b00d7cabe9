import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Action } from '../parts/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { readCode, decideConfirmation, readConfirmation } from './connectors.ts'

type Confirmation = Awaited<ReturnType<typeof readConfirmation>>
type Decision = Awaited<ReturnType<typeof decideConfirmation>>

/** Asks whether to connect the account at the service to the account here. `only` limits it to one connector. */
export function Confirm({
  code,
  only,
  onDecided,
}: {
  code: string
  only?: string
  onDecided: (made: Decision) => unknown
}) {
  const query = useQuery({
    queryKey: ['confirmation', code],
    queryFn: () => readConfirmation(code),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const decide = async (connect: boolean): Promise<void> =>
    void (await onDecided(await decideConfirmation(code, connect)))
  return (
    <Loaded query={query}>
      {(shown) =>
        only !== undefined && only !== shown.connector ? null : (
          <div className="notice" role="status">
            <Question shown={shown} />
            <div className="buttons">
              <Action isPrimary onAct={() => decide(true)} label={`Confirm: ${shown.connectorName}`}>
                Connect them
              </Action>
              <Action onAct={() => decide(false)} label={`Refuse: ${shown.connectorName}`}>
                Do not connect
              </Action>
            </div>
          </div>
        )
      }
    </Loaded>
  )
}

function Question({ shown: { connectorName, serviceAccount, account, subject } }: { shown: Confirmation }) {
  return (
    <p>
      Connect{' '}
      {serviceAccount === null ? (
        <>an account of {connectorName}, which the service does not name,</>
      ) : (
        <>
          the account <strong>{serviceAccount}</strong> of {connectorName}
        </>
      )}{' '}
      to the account <strong>{account.email ?? account.name ?? account.id}</strong> of this service
      {subject.id !== account.id && (
        <>
          , for the {subject.kind} <strong>{subject.name ?? subject.email ?? subject.id}</strong>
        </>
      )}
      ? Programs with keys of this account can then use the connected account.
    </p>
  )
}

/** Confirms a connection when no other tab of the browser waits for it. */
export function ConfirmPage() {
  const [code] = useState(readCode)
  const [made, setMade] = useState<Decision>()
  const decided = (decision: Decision): void => {
    setMade(decision)
    if (decision.connected && decision.trusted && decision.target !== null) location.assign(decision.target)
  }
  return (
    <Page title="Confirm the connection">
      {code === undefined && <p className="empty">There is no connection to confirm.</p>}
      {code !== undefined && made === undefined && <Confirm code={code} onDecided={decided} />}
      {made !== undefined && (
        <p className="notice" role="status">
          {made.connected ? 'Connected.' : 'Not connected. The access you granted is revoked within an hour.'}
        </p>
      )}
      {made?.target !== null && made?.target !== undefined && (
        <p>
          <a href={made.target} rel="noreferrer">
            Continue to {new URL(made.target).host}
          </a>
        </p>
      )}
    </Page>
  )
}
