import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Action } from '../parts/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { readCode, decideConfirmation, readConfirmation } from './connectors.ts'

type Confirmation = Awaited<ReturnType<typeof readConfirmation>>
type Decision = Awaited<ReturnType<typeof decideConfirmation>>

/** Asks the user to confirm the connection. `connectorSlug`: hides the question for any other connector. */
export function ConfirmConnection({
  code,
  connectorSlug,
  onDecision,
}: {
  code: string
  connectorSlug?: string
  onDecision: (decision: Decision) => unknown
}) {
  const query = useQuery({
    queryKey: ['confirmation', code],
    queryFn: () => readConfirmation(code),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const decide = async (connect: boolean): Promise<void> =>
    void (await onDecision(await decideConfirmation(code, connect)))
  return (
    <Loaded query={query}>
      {(confirmation) =>
        connectorSlug !== undefined && connectorSlug !== confirmation.connector ? null : (
          <div className="notice" role="status">
            <Question confirmation={confirmation} />
            <div className="buttons">
              <Action isPrimary onAct={() => decide(true)} label={`Confirm: ${confirmation.connectorName}`}>
                Confirm
              </Action>
              <Action onAct={() => decide(false)} label={`Do not connect: ${confirmation.connectorName}`}>
                Do not connect
              </Action>
            </div>
          </div>
        )
      }
    </Loaded>
  )
}

function Question({
  confirmation: { connectorName, serviceAccount, account, subject },
}: {
  confirmation: Confirmation
}) {
  return (
    <p>
      Connect{' '}
      {serviceAccount === null ? (
        <>a {connectorName} account, whose name the service does not provide,</>
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
      ? Programs that use this account’s API keys can then use the connected account.
    </p>
  )
}

/** Page that confirms a connection, for use if no other tab of the browser waits for it. */
export function ConfirmPage() {
  const [code] = useState(readCode)
  const [decision, setDecision] = useState<Decision>()
  const finish = (next: Decision): void => {
    setDecision(next)
    if (next.connected && next.trusted && next.target !== null) location.assign(next.target)
  }
  return (
    <Page title="Confirm the connection">
      {code === undefined && <p className="empty">There is no connection to confirm.</p>}
      {code !== undefined && decision === undefined && <ConfirmConnection code={code} onDecision={finish} />}
      {decision !== undefined && (
        <p className="notice" role="status">
          {decision.connected
            ? 'Connected.'
            : 'Not connected. The access that you granted will be revoked within an hour.'}
        </p>
      )}
      {decision?.target !== null && decision?.target !== undefined && (
        <p>
          <a href={decision.target} rel="noreferrer">
            Continue to {new URL(decision.target).host}
          </a>
        </p>
      )}
    </Page>
  )
}
