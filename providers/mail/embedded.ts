import { deploymentToken, isDeploymentToken } from '../deployment-token.ts'
import { ProviderError } from '../fault.ts'
import { composeMail } from './compose.ts'
import type { MailPort } from './index.ts'

/** Where the embedded provider puts what it is handed. Answers the id of the first message under the key. */
export type InboxStore = {
  keep(message: { idempotencyKey: string; recipients: string[]; subject: string; raw: Buffer }): Promise<string>
}

// Domains that can never exist, for those who want to see what a refusal looks like.
const declined = '@declined.invalid'
const unavailable = '@unavailable.invalid'

/** Mail that stays in this deployment: a table takes the place of the world's mailboxes. */
export function createEmbeddedMail(store: InboxStore): MailPort {
  return {
    knowsKeys: true,
    send: async (mail, { idempotencyKey, signal }) => {
      if (signal.aborted) throw new ProviderError('timeout', 'no time was left')
      const { to, raw } = await composeMail(mail, idempotencyKey)
      if (to.some((address) => address.endsWith(declined)))
        throw new ProviderError('declined', 'the recipient is refused')
      if (to.some((address) => address.endsWith(unavailable)))
        throw new ProviderError('unavailable', 'the mail provider is away')
      return { messageId: await store.keep({ idempotencyKey, recipients: to, subject: mail.subject, raw }) }
    },
  }
}

const purpose = 'mail inbox'

/** Token of the inbox: its holder can read every email. */
export function inboxToken(serverSecret: string): string {
  return deploymentToken(serverSecret, purpose)
}

export function opensInbox(serverSecret: string, token: string): boolean {
  return isDeploymentToken(serverSecret, purpose, token)
}
