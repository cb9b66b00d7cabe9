import { queryOptions } from '@tanstack/react-query'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { joinTabs } from '../parts/tabs.ts'

export type Connector = { slug: string; name: string; isConnected: boolean; connectedAccountId: string | null }

export const connectorsQuery = queryOptions({
  queryKey: ['connectors'],
  queryFn: async (): Promise<Connector[]> =>
    (await read(api.GET('/api/connectors', { params: { query: forAccount() } }))).connectors,
})

export async function disconnect(connectedAccountId: string): Promise<void> {
  const body = { connected_account_id: connectedAccountId, ...forAccount() }
  await read(api.DELETE('/api/connectors', { body }))
}

/** The page of the service where its owner allows the connection, good for ten minutes. */
export async function askForConsent(connector: string): Promise<string> {
  const body = { connector, callback_url: `${location.origin}/console/connected`, ...forAccount() }
  const { data } = await read(api.POST('/api/connectors', { body }))
  if (!/^https?:\/\//.test(data.redirectUrl)) throw new Error('The broker answered an address that is none.')
  return data.redirectUrl
}

/** What a code would connect: the account at the service, and the account here. Fails for another account. */
export async function showConfirmation(code: string) {
  return read(api.POST('/api/connectors/confirmations', { body: { code } }))
}

export async function decideConfirmation(code: string, connect: boolean) {
  return read(api.PUT('/api/connectors/confirmations', { body: { code, connect } }))
}

/** The code that a browser brings back from a service; undefined without one. */
export function codeInAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('confirm') ?? undefined
}

const channelName = 'backline-connected'

/** Between tabs of one browser: a code, and that a tab which waits for it has taken it. */
type Handed = { code: string } | { taken: string }

/** Takes the code that another tab of this browser brings back from a service. */
export function onReturn(take: (code: string) => void): () => void {
  const tabs = joinTabs<Handed>(channelName, (handed) => {
    if (!('code' in handed)) return
    tabs.post({ taken: handed.code })
    take(handed.code)
  })
  return tabs.close
}

/** Offers a code to the other tabs; calls when one that waits for it has taken it. */
export function offerCode(code: string, onTaken: () => void): () => void {
  const tabs = joinTabs<Handed>(channelName, (handed) => {
    if ('taken' in handed && handed.taken === code) onTaken()
  })
  tabs.post({ code })
  return tabs.close
}
