import { NativeConnection, type Worker } from '@temporalio/worker'
import { nativeOptions, type EngineAddress } from '../engine/connect.ts'
import type { CredentialWatch } from '../engine/credentials.ts'

/**
 * Opens the connection of the workers to Temporal. When the credentials change, the workers continue on a new connection;
 * calls in progress end on the previous connection.
 */
export async function openNativeConnection(address: EngineAddress, credentials: CredentialWatch) {
  let connection = await NativeConnection.connect(nativeOptions(address, credentials.current()))
  let workers: readonly Worker[] = []
  credentials.onChange(async (next) => {
    const previous = connection
    connection = await NativeConnection.connect(nativeOptions(address, next))
    for (const worker of workers) worker.connection = connection
    await previous.close()
  })
  return {
    current: (): NativeConnection => connection,
    /** Sets the workers that use this connection. */
    setWorkers: (list: readonly Worker[]): void => {
      workers = list
      for (const worker of workers) if (worker.connection !== connection) worker.connection = connection
    },
    // Workers that never ran do not close their connection.
    close: (): Promise<void> => connection.close().catch(() => {}),
  }
}
