import { deploymentToken, isDeploymentToken } from '../deployment-token.ts'
import { ProviderError } from '../errors/provider-error.ts'
import { composeMail } from './compose.ts'
import type { MailPort } from './index.ts'

/** Store of the embedded provider's emails. */
export type InboxStore = {
  /** Stores a message unless its key exists. Returns the id of the message with the key. */
  save(message: { idempotencyKey: string; recipients: string[]; subject: string; raw: Buffer }): Promise<string>
}

// Reserved domains (RFC 2606) with which developers can trigger errors.
const declinedDomain = '@declined.invalid'
const unavailableDomain = '@unavailable.invalid'

/** Creates the embedded email provider, which stores emails in this deployment and sends none. */
export function createEmbeddedMail(store: InboxStore): MailPort {
  return {
    isIdempotent: true,
    send: async (mail, { idempotencyKey, signal }) => {
      if (signal.aborted) throw new ProviderError('timeout', 'the call was aborted')
      const { to, raw } = await composeMail(mail, idempotencyKey)
      if (to.some((address) => address.endsWith(declinedDomain)))
        throw new ProviderError('declined', 'the recipient was rejected')
      if (to.some((address) => address.endsWith(unavailableDomain)))
        throw new ProviderError('unavailable', 'the email provider is unavailable')
      return { messageId: await store.save({ idempotencyKey, recipients: to, subject: mail.subject, raw }) }
    },
  }
}

const purpose = 'mail inbox'

/** Returns the token of the inbox. Its holder can read every email. */
export function inboxToken(serverSecret: string): string {
  return deploymentToken(serverSecret, purpose)
}

export function isInboxToken(serverSecret: string, token: string): boolean {
  return isDeploymentToken(serverSecret, purpose, token)
}
