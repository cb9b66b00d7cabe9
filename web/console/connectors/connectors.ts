import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { useGet } from '../access/queries.ts'
import { joinTabChannel } from '../parts/tabs.ts'

export type Connector = { slug: string; name: string; isConnected: boolean; connectedAccountId: string | null }

export function useConnectors<T>(select: (connectors: Connector[]) => T) {
  const input = { query: forAccount() }
  return useGet('connectors', '/api/connectors', input, { select: ({ connectors }) => select(connectors) })
}

/** Returns the URL of the service's consent page, which is valid for ten minutes. */
export async function requestConsent(connector: string): Promise<string> {
  const body = { connector, callback_url: `${location.origin}/console/connected`, ...forAccount() }
  const { data } = await api.POST('/api/connectors', { body })
  if (!/^https?:\/\//.test(data.redirectUrl)) throw new Error('The connector service returned an invalid URL.')
  return data.redirectUrl
}

/** Returns the code in the URL of this page, to which the service redirected the browser; undefined if there is none. */
export function readCode(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('confirm') ?? undefined
}

const channelName = 'backline-connected'

/** Message between tabs: a code, or the confirmation that a waiting tab received it. */
type TabMessage = { code: string } | { receivedCode: string }

/** Calls `receive` with each code that another tab of this browser offers. Returns an unsubscribe function. */
export function subscribeToCodes(receive: (code: string) => void): () => void {
  const tabs = joinTabChannel<TabMessage>(channelName, (message) => {
    if (!('code' in message)) return
    tabs.post({ receivedCode: message.code })
    receive(message.code)
  })
  return tabs.close
}

/** Offers a code to the other tabs. Calls `onReceived` when a waiting tab receives it. Returns an unsubscribe function. */
export function offerCode(code: string, onReceived: () => void): () => void {
  const tabs = joinTabChannel<TabMessage>(channelName, (message) => {
    if ('receivedCode' in message && message.receivedCode === code) onReceived()
  })
  tabs.post({ code })
  return tabs.close
}
