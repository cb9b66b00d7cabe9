import type { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { alreadyExists, readGrpcStatus } from '../../../engine/status.ts'
import { waitFor } from '../../processes/processes.ts'

export const searchAttributes = { BacklineAccount: 'Keyword', BacklineKind: 'Keyword' } as const
/** Number of `Keyword` in the API's enumeration of search attribute types. */
const keyword = 2
const retention = '30 days'

type Ask = { isOver: () => boolean; answerMs: number; maxMs: number }

/**
 * Gives a namespace its retention and search attributes. The dev server keeps ended runs for a day, and makes search
 * attributes only together with a new database file.
 */
export async function prepareNamespace(connection: Connection, namespace: string): Promise<void> {
  const { workflowService, operatorService } = connection
  await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: msToTs(retention) } })
  const present = await operatorService.listSearchAttributes({ namespace })
  const missing = Object.keys(searchAttributes).filter((name) => !(name in present.customAttributes))
  if (missing.length === 0) return
  const attributes = Object.fromEntries(missing.map((name) => [name, keyword]))
  await operatorService.addSearchAttributes({ namespace, searchAttributes: attributes })
}

/** Creates the namespace. A server other than the dev server has none at first. */
export async function registerNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  const workflowExecutionRetentionPeriod = msToTs(retention)
  try {
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod })
  } catch (error) {
    if (readGrpcStatus(error) !== alreadyExists) throw error
  }
}

/** Repeats a request until the server responds. Returns the reason when it never does. A new or busy server is slow. */
export async function untilAnswered(
  connection: Connection,
  { isOver, answerMs, maxMs }: Ask,
  ask: () => Promise<unknown>,
): Promise<string | undefined> {
  let last = 'no answer'
  const outcome = await waitFor(async () => {
    if (isOver()) return 'over'
    // Without a deadline, a call waits forever for a server that does not start.
    return connection.withDeadline(Date.now() + answerMs, ask).then(
      () => 'answered',
      (error: Error) => {
        last = error.message
        return undefined
      },
    )
  }, maxMs)
  return outcome === 'answered' ? undefined : outcome === 'over' ? 'it ended' : `${last} after ${maxMs / 1000} s`
}
