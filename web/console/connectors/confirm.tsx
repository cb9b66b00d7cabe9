import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Action } from '../parts/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { codeInAddress, decideConfirmation, showConfirmation } from './connectors.ts'

type Shown = Awaited<ReturnType<typeof showConfirmation>>
type Decision = Awaited<ReturnType<typeof decideConfirmation>>

/** Names the account at the service and the account here, and asks whether to connect them. `only`: of this connector alone. */
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
    queryFn: () => showConfirmation(code),
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
              <Action className="small" onAct={() => decide(true)} label={`Confirm: ${shown.connectorName}`}>
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

function Question({ shown: { connectorName, serviceAccount, account, subject } }: { shown: Shown }) {
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
      ? Programs with keys of this account can then act there.
    </p>
  )
}

/** For a browser in which no other tab waits. */
export function ConfirmPage() {
  const [code] = useState(codeInAddress)
  const [made, setMade] = useState<Decision>()
  const decided = (decision: Decision): void => {
    setMade(decision)
    if (decision.connected && decision.trusted && decision.target !== null) location.assign(decision.target)
  }
  return (
    <Page title="Confirm the connection">
      {code === undefined && <p className="empty">Nothing waits to be confirmed.</p>}
      {code !== undefined && made === undefined && <Confirm code={code} onDecided={decided} />}
      {made !== undefined && (
        <p className="notice" role="status">
          {made.connected ? 'Connected.' : 'Not connected. What you allowed is revoked within the hour.'}
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
