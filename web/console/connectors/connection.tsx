import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Action } from '../parts/action.tsx'
import { Confirm } from './confirm.tsx'
import { requestConsent, disconnect, onCodeReturned, type Connector } from './connectors.ts'

const refreshMs = 3000

/**
 * Buttons that connect and disconnect a connector. The service asks for consent in another tab, because leaving this page
 * would end the sign-in.
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
    const look = setInterval(() => void refresh(), refreshMs)
    const stop = onCodeReturned(setCode)
    return () => {
      clearInterval(look)
      stop()
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
        <Confirm
          code={code}
          only={slug}
          onDecided={async () => {
            resetConsent()
            await refresh()
          }}
        />
      )}
      {consentUrl !== undefined && code === undefined && (
        <p className="notice" role="status">
          <a href={consentUrl} target="_blank" rel="noopener noreferrer">
            Allow it on the page of {name}
          </a>
          , which opens in another tab. Then confirm the connection here.
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
            confirm={`Disconnect ${name}? The access you granted is revoked at the service, if it supports that.`}
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
