import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Action } from '../parts/action.tsx'
import { ConfirmConnection } from './confirm.tsx'
import { requestConsent, disconnect, subscribeToCodes, type Connector } from './connectors.ts'

const refreshMs = 3000

/**
 * Buttons that connect and disconnect a connector. The consent page of the service opens in another tab, because
 * leaving this page would end the sign-in.
 */
export function Connection({ connector }: { connector: Connector }) {
  const { slug, name, isConnected, connectedAccountId } = connector
  const queries = useQueryClient()
  const [consentUrl, setConsentUrl] = useState<string>()
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['connectors'] })
  const [code, setCode] = useState<string>()
  const isWaiting = consentUrl !== undefined
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(() => void refresh(), refreshMs)
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
  return (
    <>
      {code !== undefined && (
        <ConfirmConnection
          code={code}
          connectorSlug={slug}
          onDecision={async () => {
            resetConsent()
            await refresh()
          }}
        />
      )}
      {consentUrl !== undefined && code === undefined && (
        <p className="notice" role="status">
          <a href={consentUrl} target="_blank" rel="noopener noreferrer">
            Grant access at {name}
          </a>{' '}
          (opens in another tab), then confirm the connection here.
        </p>
      )}
      <div className="buttons">
        <Action
          onAct={async () => {
            const url = await requestConsent(slug)
            setConsentUrl(url)
            open(url, '_blank', 'noopener,noreferrer')
          }}
          label={`${isConnected ? 'Connect again' : 'Connect'}: ${name}`}
        >
          {isConnected ? 'Connect again' : 'Connect'}
        </Action>
        {connectedAccountId !== null && (
          <Action
            confirm={`Disconnect ${name}? The access that you granted is revoked if the service supports this.`}
            onAct={async () => {
              await disconnect(connectedAccountId)
              await refresh()
            }}
            label={`Disconnect: ${name}`}
          >
            Disconnect
          </Action>
        )}
      </div>
    </>
  )
}
