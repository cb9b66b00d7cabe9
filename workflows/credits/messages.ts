import { declareWorkflow } from '../messages.ts'

/** Credits, the reference of their hold, and the purpose of the debit. */
export type SettleHoldInput = {
  accountId: string
  amount: number
  reference: string
  usage: { source: 'web' | 'api'; modelId: string }
}

/** Charges for completed work. Retries until the ledger is available. */
export const settleHold = declareWorkflow<SettleHoldInput>({
  type: 'settleHold',
  id: ({ reference }) => `settle:${reference}`,
  owner: ({ accountId }) => ({ accountId }),
})
