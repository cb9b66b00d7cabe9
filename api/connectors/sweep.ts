import { deleteOldConnectorRows } from '../../db/connectors/calls.ts'
import { deleteConnection, listReplaced } from '../../db/connectors/connections.ts'
import { deleteFile, listExpiredFiles } from '../../db/connectors/files.ts'
import type { ApiDeps } from '../deps.ts'
import { brokerCall } from './route-defaults.ts'

const batch = 100

/** Takes back connections that were replaced and files that expired, at the broker first: what fails is tried again later. */
export async function sweepConnectors({ db, connectors }: Pick<ApiDeps, 'db' | 'connectors'>): Promise<void> {
  for (const { connectedAccountId, toolkit } of await listReplaced(db, batch)) {
    await connectors.brokerOf(toolkit)?.disconnect(connectedAccountId, brokerCall())
    await deleteConnection(db, connectedAccountId)
  }
  for (const { key, toolkit, brokerKey } of await listExpiredFiles(db, batch)) {
    await connectors.brokerOf(toolkit)?.dropFile(brokerKey)
    await deleteFile(db, key)
  }
  await deleteOldConnectorRows(db)
}
