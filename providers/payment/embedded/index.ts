import type { PaymentPort } from '../index.ts'
import { page } from './pages/answers.ts'
import type { PageAnswer } from './pages/answers.ts'
import { showCheckout, submitCheckout } from './pages/checkout-page.ts'
import { deliverDue, startDeliveries } from './events/deliveries.ts'
import type { ProviderLog } from './events/deliveries.ts'
import { html } from './pages/html.ts'
import { operatorId, showOperator, submitOperator } from './pages/operator-page.ts'
import type { Party, ProviderOptions } from './party.ts'
import { createEmbeddedPort } from './port.ts'
import { showPortal, submitPortal } from './pages/portal-page.ts'
import { isSame, pageKey } from './secrets.ts'
import { renewSubscriptions } from './subscriptions.ts'

/** The pages that people open: by the id of a session and the key in its address. */
type PaymentPages = {
  show(id: string, key: string): Promise<PageAnswer>
  submit(id: string, key: string, form: URLSearchParams): Promise<PageAnswer>
}

export type EmbeddedPayments = {
  payments: PaymentPort
  pages: PaymentPages
  /** Tells the webhook at `target` what happens and renews subscriptions, until it is closed. */
  start(options: { target: string; log: ProviderLog }): { close(): Promise<void> }
  /** One round of each, now. */
  deliver(target: string): Promise<void>
  renew(): Promise<void>
}

const createPages = (party: Party): PaymentPages => {
  const unknown = (): PageAnswer =>
    page(party, 'No such page', html`<p>The address is wrong, or incomplete.</p>`, { status: 404 })
  const isKnown = (id: string, key: string): boolean => isSame(key, pageKey(party.secret, id))
  return {
    show: async (id, key) => {
      if (!isKnown(id, key)) return unknown()
      if (id === operatorId) return showOperator(party)
      const session = await party.store.findSession(id)
      if (session === undefined) return unknown()
      return session.kind === 'portal' ? showPortal(party, session) : showCheckout(party, session)
    },
    submit: async (id, key, form) => {
      if (!isKnown(id, key)) return unknown()
      if (id === operatorId) return submitOperator(party, form)
      const session = await party.store.findSession(id)
      if (session === undefined) return unknown()
      return session.kind === 'portal' ? submitPortal(party, id, form) : submitCheckout(party, id, form)
    },
  }
}

const notStarted = (): void => undefined

/** A payment party inside this service, for development and tests: its state is in our database, and no money moves. */
export const createEmbeddedPayments = (options: ProviderOptions): EmbeddedPayments => {
  let wake: () => void = notStarted
  const party: Party = { ...options, wake: () => wake() }
  return {
    payments: createEmbeddedPort(party),
    pages: createPages(party),
    start: (started) =>
      startDeliveries(party, {
        ...started,
        onWake: (listener) => {
          wake = listener
        },
      }),
    deliver: (target) => deliverDue(party, { target, signal: new AbortController().signal }),
    renew: () => renewSubscriptions(party),
  }
}
