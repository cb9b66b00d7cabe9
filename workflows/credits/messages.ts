import { declareWorkflow } from '../messages.ts'

/** Credits, the reference under which they are held, and what the debit is for. */
export type SettleHoldInput = {
  accountId: string
  amount: number
  reference: string
  usage: { source: 'web' | 'api'; modelId: string }
}

/** Charges for work that has succeeded, for as long as it takes the ledger to be there. */
export const settleHold = declareWorkflow<SettleHoldInput>({
  type: 'settleHold',
  id: ({ reference }) => `settle:${reference}`,
  owner: ({ accountId }) => ({ accountId }),
})
