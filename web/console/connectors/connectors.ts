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

const channelName = 'backline-connected'

/** Calls when a tab of this browser comes back from a service. */
export function onReturn(call: () => void): () => void {
  return joinTabs(channelName, call).close
}

/** Tells the other tabs that a service sent this one back. */
export function tellReturn(): void {
  const tabs = joinTabs(channelName, () => {})
  tabs.tell('returned')
  tabs.close()
}
