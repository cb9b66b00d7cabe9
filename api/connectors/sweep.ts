import { deleteOldConnectorRows } from '../../db/connectors/retention.ts'
import {
  deleteConnection,
  listReplaced,
  postponeConnection,
  isGrantShared,
  type ConnectionRow,
} from '../../db/connectors/connections.ts'
import { deleteFile, listExpiredFiles, postponeFile } from '../../db/connectors/action-files.ts'
import {
  deleteState,
  isGrantInUse,
  listUnconfirmed,
  postponeState,
  type UnconfirmedState,
} from '../../db/connectors/states.ts'
import { brokerCall, type BrokerDeps } from './route-defaults.ts'

const batchSize = 100
/** Maximum number of rows of each kind per sweep. The next sweep continues with the other rows. */
const maxRows = 10_000

/** Functions that clean up one kind of unused row. `cleanUp` cleans up at the broker, before `remove` deletes the row. */
type Cleanup<R> = {
  label: string
  list: (limit: number) => Promise<R[]>
  cleanUp: (row: R) => Promise<unknown>
  remove: (row: R) => Promise<void>
  postpone: (row: R) => Promise<void>
}

/**
 * Revokes connections that were replaced or never confirmed, and deletes expired files, at the broker first. A row that
 * fails is retried with increasing delays and does not block others.
 */
export async function sweepConnectors(deps: BrokerDeps): Promise<void> {
  const { db, connectors } = deps
  const disconnect = (toolkit: string, id: string, isGrantInUse: boolean) =>
    connectors.findBroker(toolkit)?.disconnect(id, brokerCall(), { isGrantInUse })
  await sweep<ConnectionRow>(deps, {
    label: 'a replaced connection',
    list: (limit) => listReplaced(db, limit),
    cleanUp: async ({ toolkit, connectedAccountId: id }) => disconnect(toolkit, id, await isGrantShared(db, id)),
    remove: ({ connectedAccountId }) => deleteConnection(db, connectedAccountId),
    postpone: ({ connectedAccountId }) => postponeConnection(db, connectedAccountId),
  })
  await sweep<UnconfirmedState>(deps, {
    label: 'an unconfirmed connection',
    list: (limit) => listUnconfirmed(db, limit),
    cleanUp: async (state) => {
      const { toolkit, connectedAccountId: id } = state
      if (id === null) return
      const settled = await connectors.findBroker(toolkit)?.settle?.(id, brokerCall())
      // The tokens of an interrupted exchange exist only at the service, and `settle` has requested their revocation.
      if (settled === 'lost')
        deps.log.error({ toolkit, connectedAccountId: id, alert: true }, 'a grant may still be active at the service')
      await disconnect(toolkit, id, await isGrantInUse(db, state))
    },
    remove: ({ stateHash }) => deleteState(db, stateHash),
    postpone: ({ stateHash }) => postponeState(db, stateHash),
  })
  await sweep(deps, {
    label: 'an action file',
    list: (limit) => listExpiredFiles(db, limit),
    cleanUp: async ({ toolkit, brokerKey }) =>
      brokerKey === null ? undefined : connectors.findBroker(toolkit)?.dropFile(brokerKey),
    remove: ({ key }) => deleteFile(db, key),
    postpone: ({ key }) => postponeFile(db, key),
  })
  await deleteOldConnectorRows(db)
}

async function sweep<R>({ log }: BrokerDeps, { label, list, cleanUp, remove, postpone }: Cleanup<R>): Promise<void> {
  for (let done = 0; done < maxRows; done += batchSize) {
    const rows = await list(batchSize)
    for (const row of rows) {
      try {
        await cleanUp(row)
        await remove(row)
      } catch (error) {
        log.warn({ err: error }, `failed to clean up ${label}; it is retried later`)
        await postpone(row)
      }
    }
    if (rows.length < batchSize) return
  }
}
