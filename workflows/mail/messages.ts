import { declareWorkflow } from '../messages.ts'

export type DeliverMailInput = { mailId: string }

/** Delivers an email of the outbox to the email provider. */
export const deliverMail = declareWorkflow<DeliverMailInput>({
  type: 'deliverMail',
  id: ({ mailId }) => `mail:${mailId}`,
  owner: ({ mailId }) => ({ mailId }),
})
