import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Action } from '../parts/action.tsx'
import { Confirm } from './confirm.tsx'
import { askForConsent, disconnect, onReturn, type Connector } from './connectors.ts'

const lookMs = 3000

/** Connects and disconnects. The service asks its owner in another tab, since this one would forget who is signed in. */
export function Connection({ connector }: { connector: Connector }) {
  const { slug, name, isConnected, connectedAccountId } = connector
  const queries = useQueryClient()
  const [consentUrl, setConsentUrl] = useState<string>()
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['connectors'] })
  const [code, setCode] = useState<string>()
  const isWaiting = consentUrl !== undefined
  useEffect(() => {
    if (!isWaiting) return undefined
    const look = setInterval(() => void refresh(), lookMs)
    const stop = onReturn(setCode)
    return () => {
      clearInterval(look)
      stop()
    }
  }, [isWaiting])
  const forget = (): void => {
    setConsentUrl(undefined)
    setCode(undefined)
  }
  useEffect(forget, [connectedAccountId])
  return (
    <>
      {code !== undefined && (
        <Confirm
          code={code}
          only={slug}
          onDecided={async () => {
            forget()
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
            const url = await askForConsent(slug)
            setConsentUrl(url)
            open(url, '_blank', 'noopener,noreferrer')
          }}
          label={`${isConnected ? 'Connect again' : 'Connect'}: ${name}`}
        >
          {isConnected ? 'Connect again' : 'Connect'}
        </Action>
        {connectedAccountId !== null && (
          <Action
            confirm={`Disconnect ${name}? What you allowed is revoked there, where the service can do that.`}
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
