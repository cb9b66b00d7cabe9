import { useEffect, useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refresh, refreshAfter } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Notice } from '../parts/page.tsx'
import { ConfirmConnection } from './confirm.tsx'
import { requestConsent, subscribeToCodes, type Connector } from './connectors.ts'

const refreshMs = 3000

/**
 * Buttons that connect and disconnect a connector. The consent page of the service opens in another tab, because
 * leaving this page would end the sign-in.
 */
export function Connection({ connector }: { connector: Connector }) {
  const { slug, name, isConnected, connectedAccountId } = connector
  const [consentUrl, setConsentUrl] = useState<string>()
  const [code, setCode] = useState<string>()
  const isWaiting = consentUrl !== undefined
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(() => void refresh('connectors'), refreshMs)
    const unsubscribe = subscribeToCodes(setCode)
    return () => {
      clearInterval(timer)
      unsubscribe()
    }
  }, [isWaiting])
  const resetConsent = (): void => {
    setConsentUrl(undefined)
    setCode(undefined)
  }
  useEffect(resetConsent, [connectedAccountId])
  const connectName = isConnected ? 'Connect again' : 'Connect'
  const connect = async (): Promise<void> => {
    const url = await requestConsent(slug)
    setConsentUrl(url)
    open(url, '_blank', 'noopener,noreferrer')
  }
  return (
    <>
      {code !== undefined && (
        <ConfirmConnection
          code={code}
          connectorSlug={slug}
          onDecision={async () => {
            resetConsent()
            await refresh('connectors')
          }}
        />
      )}
      {consentUrl !== undefined && code === undefined && (
        <Notice>
          <a href={consentUrl} target="_blank" rel="noopener noreferrer">
            Grant access at {name}
          </a>{' '}
          (opens in another tab), then confirm the connection here.
        </Notice>
      )}
      <div className="buttons">
        <Action name={connectName} label={`${connectName}: ${name}`} onAct={connect} />
        {connectedAccountId !== null && (
          <Action
            name="Disconnect"
            label={`Disconnect: ${name}`}
            confirm={`Disconnect ${name}? The access that you granted is revoked if the service supports this.`}
            onAct={() => {
              const body = { connected_account_id: connectedAccountId, ...forAccount() }
              return refreshAfter(api.DELETE('/api/connectors', { body }), 'connectors')
            }}
          />
        )}
      </div>
    </>
  )
}
