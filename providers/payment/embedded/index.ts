import type { PaymentPort } from '../index.ts'
import { page, type PageResponse } from './pages/answers.ts'
import { showCheckout, submitCheckout } from './pages/checkout-page.ts'
import { deliverDue, startDeliveries, type ProviderLog } from './events/deliveries.ts'
import { html } from '../../../domain/pages/html.ts'
import { operatorId, showOperator, submitOperator } from './pages/operator-page.ts'
import type { EmbeddedProvider, ProviderOptions } from './provider.ts'
import { createEmbeddedPort } from './port.ts'
import { showPortal, submitPortal } from './pages/portal-page.ts'
import { equalsConstantTime, pageKey } from './secrets.ts'
import { renewSubscriptions } from './subscriptions.ts'

/** Pages of sessions, identified by the id and the key in the URL. */
type PaymentPages = {
  show(id: string, key: string): Promise<PageResponse>
  submit(id: string, key: string, form: URLSearchParams): Promise<PageResponse>
}

export type EmbeddedPayments = {
  payments: PaymentPort
  pages: PaymentPages
  /** Sends events to the webhook at `target` and renews subscriptions until `close` is called. */
  start(options: { target: string; log: ProviderLog }): { close(): Promise<void> }
  /** Delivers the due events now. */
  deliver(target: string): Promise<void>
  /** Renews or ends the due subscriptions now. */
  renew(): Promise<void>
}

/** Creates the payment provider for development and tests. Its state is in the database of this service, and no money moves. */
export function createEmbeddedPayments(options: ProviderOptions): EmbeddedPayments {
  let wake: () => void = ignoreWake
  const provider: EmbeddedProvider = { ...options, wake: () => wake() }
  return {
    payments: createEmbeddedPort(provider),
    pages: createPages(provider),
    start: (deliveryOptions) =>
      startDeliveries(provider, {
        ...deliveryOptions,
        onWake: (listener) => {
          wake = listener
        },
      }),
    deliver: (target) => deliverDue(provider, { target, signal: new AbortController().signal }),
    renew: () => renewSubscriptions(provider),
  }
}

function ignoreWake(): void {
  return undefined
}

function createPages(provider: EmbeddedProvider): PaymentPages {
  const notFoundPage = (): PageResponse =>
    page(provider, 'Page not found', html`<p>The URL is wrong or incomplete.</p>`, { status: 404 })
  const hasValidKey = (id: string, key: string): boolean => equalsConstantTime(key, pageKey(provider.secret, id))
  return {
    show: async (id, key) => {
      if (!hasValidKey(id, key)) return notFoundPage()
      if (id === operatorId) return showOperator(provider)
      const session = await provider.store.findSession(id)
      if (session === undefined) return notFoundPage()
      return session.kind === 'portal' ? showPortal(provider, session) : showCheckout(provider, session)
    },
    submit: async (id, key, form) => {
      if (!hasValidKey(id, key)) return notFoundPage()
      if (id === operatorId) return submitOperator(provider, form)
      const session = await provider.store.findSession(id)
      if (session === undefined) return notFoundPage()
      return session.kind === 'portal' ? submitPortal(provider, id, form) : submitCheckout(provider, id, form)
    },
  }
}
