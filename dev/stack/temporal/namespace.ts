import type { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { alreadyExists, readGrpcStatus } from '../../../engine/status.ts'
import { waitFor } from '../../processes/processes.ts'

export const searchAttributes = { BacklineAccount: 'Keyword', BacklineKind: 'Keyword' } as const
/** Value of `Keyword` in the API's enum of search attribute types. */
const keywordType = 2
const retention = '30 days'

type RetryOptions = { hasExited: () => boolean; timeoutMs: number; maxMs: number }

/**
 * Sets the retention and the search attributes of a namespace. The dev server would keep closed workflows for only a day, and
 * creates search attributes only with a new database file.
 */
export async function prepareNamespace(connection: Connection, namespace: string): Promise<void> {
  const { workflowService, operatorService } = connection
  await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: msToTs(retention) } })
  const existing = await operatorService.listSearchAttributes({ namespace })
  const missing = Object.keys(searchAttributes).filter((name) => !(name in existing.customAttributes))
  if (missing.length === 0) return
  const attributes = Object.fromEntries(missing.map((name) => [name, keywordType]))
  await operatorService.addSearchAttributes({ namespace, searchAttributes: attributes })
}

/** Creates the namespace if it does not exist, for servers other than the dev server. */
export async function registerNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  const workflowExecutionRetentionPeriod = msToTs(retention)
  try {
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod })
  } catch (error) {
    if (readGrpcStatus(error) !== alreadyExists) throw error
  }
}

/**
 * Retries a request until the server responds, because a new or busy server is slow. Returns the reason if the server never
 * responds.
 */
export async function retryUntilResponse(
  connection: Connection,
  { hasExited, timeoutMs, maxMs }: RetryOptions,
  send: () => Promise<unknown>,
): Promise<string | undefined> {
  let lastError = 'no response'
  const outcome = await waitFor(async () => {
    if (hasExited()) return 'exited'
    // Without a deadline, a call waits forever for a server that does not start.
    return connection.withDeadline(Date.now() + timeoutMs, send).then(
      () => 'responded',
      (error: Error) => {
        lastError = error.message
        return undefined
      },
    )
  }, maxMs)
  return outcome === 'responded'
    ? undefined
    : outcome === 'exited'
      ? 'it exited'
      : `${lastError} after ${maxMs / 1000} s`
}
