import { declareWorkflow } from '../messages.ts'

/** The credits to charge, the reference of their hold, and the usage that the debit records. */
export type SettleHoldInput = {
  accountId: string
  amount: number
  reference: string
  usage: { source: 'web' | 'api'; modelId: string }
}

/** Charges for completed work. Retries while the ledger is unavailable. */
export const settleHold = declareWorkflow<SettleHoldInput>({
  type: 'settleHold',
  id: ({ reference }) => `settle:${reference}`,
  owner: ({ accountId }) => ({ accountId }),
})
