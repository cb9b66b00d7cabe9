import { randomBytes } from 'node:crypto'
import type { Toolkit } from '../../../domain/connectors/connector.ts'
import { runUntilDeadline } from '../../call.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { disconnected, type BrokerPort, type ActionFiles } from '../index.ts'
import { listActions, findActionFunction } from './actions.ts'
import { createPages, type ConsentPages } from './pages.ts'
import type { DemoStore } from './store.ts'

export type EmbeddedBrokerOptions = {
  store: DemoStore
  files: ActionFiles
  toolkits: readonly Toolkit[]
  baseUrl: string
}

export type EmbeddedBroker = { broker: BrokerPort; pages: ConsentPages }

/** Creates the embedded broker. Backline serves its consent page and stores its notes and events in the database. */
export function createEmbeddedBroker({ store, files, toolkits, baseUrl }: EmbeddedBrokerOptions): EmbeddedBroker {
  const broker: BrokerPort = {
    toolkits,
    honorsKeys: () => true,
    listConnections: (entityId) => store.listConnections(entityId),
    listActions: (slugs) => Promise.resolve(slugs.flatMap(listActions)),
    authorize: ({ entityId, toolkit, callbackUrl, state, recipient }, call) =>
      runUntilDeadline(call, async () => {
        const connectedAccountId = `ca_${randomBytes(18).toString('hex')}`
        await store.insertConnection(connectedAccountId, { entityId, toolkit, recipient })
        const page = new URL(`${baseUrl.replace(/\/$/, '')}/consent/${connectedAccountId}`)
        page.search = new URLSearchParams({ callback: callbackUrl, state }).toString()
        return { redirectUrl: page.href, connectedAccountId }
      }),
    getConnection: async (connectedAccountId, returned) => {
      if (returned.has('error')) throw new ProviderError('declined', 'the person denied access')
      const connection = await store.findConnection(connectedAccountId)
      if (connection === undefined) throw new ProviderError('not_found', 'no such connection')
      const { recipient: _, ...rest } = connection
      return rest
    },
    disconnect: (connectedAccountId) => store.deleteConnection(connectedAccountId),
    execute: async ({ entityId, connectedAccountId, action, parameters, key }, call) => {
      const connection = await store.findConnection(connectedAccountId)
      if (connection?.active !== true || connection.entityId !== entityId || connection.toolkit !== action.toolkit)
        throw new ProviderError('declined', 'no such connection', { code: disconnected })
      const run = findActionFunction(action.toolkit, action.actionSlug)
      if (run === undefined) throw new ProviderError('invalid', 'no such action')
      const result = await runUntilDeadline(call, (signal) => run({ store, files, entityId, parameters, key, signal }))
      return { result }
    },
    planFile: (mimetype) => files.planKey(mimetype),
    storeFile: async ({ bytes, mimetype, accountId, plannedKey: key = files.planKey(mimetype) }) => {
      await files.save(key, bytes, { mimetype, accountId })
      return { key }
    },
    dropFile: (key) => files.drop(key),
  }
  return { broker, pages: createPages({ store, toolkits, baseUrl }) }
}
