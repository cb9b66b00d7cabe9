import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../access/api.ts'
import type { Data } from '../access/calls.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice, Page } from '../parts/page.tsx'
import { readCode } from './connectors.ts'

const route = '/api/connectors/confirmations'

type Confirmation = Data<'post', typeof route>
type Decision = Data<'put', typeof route>
type ConfirmProps = { code: string; connectorSlug?: string; onDecision: (decision: Decision) => unknown }

/** Asks the user to confirm the connection. `connectorSlug`: hides the question for any other connector. */
export function ConfirmConnection({ code, connectorSlug, onDecision }: ConfirmProps) {
  const query = useQuery({
    queryKey: ['confirmation', code],
    // The call fails if another account started the connection.
    queryFn: () => api.POST(route, { body: { code } }),
    retry: false,
    staleTime: Infinity,
  })
  const decide = async (connect: boolean): Promise<unknown> =>
    onDecision(await api.PUT(route, { body: { code, connect } }))
  return (
    <Loaded query={query}>
      {(confirmation) =>
        connectorSlug !== undefined && connectorSlug !== confirmation.connector ? null : (
          <Notice>
            <Question {...confirmation} />
            <div className="buttons">
              <Action
                name="Confirm"
                label={`Confirm: ${confirmation.connectorName}`}
                isPrimary
                onAct={() => decide(true)}
              />
              <Action
                name="Do not connect"
                label={`Do not connect: ${confirmation.connectorName}`}
                onAct={() => decide(false)}
              />
            </div>
          </Notice>
        )
      }
    </Loaded>
  )
}

function Question({ connectorName, serviceAccount, account, subject }: Confirmation) {
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
        <Notice>
          {decision.connected
            ? 'Connected.'
            : 'Not connected. The access that you granted will be revoked within an hour.'}
        </Notice>
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
