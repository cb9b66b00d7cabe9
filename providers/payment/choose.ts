import { createHmac } from 'node:crypto'
import { createEmbeddedPayments, type EmbeddedPayments } from './embedded/index.ts'
import { operatorId } from './embedded/pages/operator-page.ts'
import type { ProviderOptions } from './embedded/provider.ts'
import { pageUrl } from './embedded/port.ts'
import type { ProviderStore } from './embedded/store.ts'
import type { PaymentPort } from './index.ts'
import type { StripeOptions } from './stripe/index.ts'

type EmbeddedSettings = Pick<ProviderOptions, 'baseUrl' | 'prices' | 'trustedOrigins'> & {
  /** Without one it is made from the secret of the deployment. */
  webhookSecret: string | undefined
  serverSecret: string
}

export type PaymentSettings = { stripe: StripeOptions } | { embedded: EmbeddedSettings }

/** Where an operator sees the events of the embedded provider. */
export function operatorUrl(settings: EmbeddedSettings): string {
  return pageUrl({ baseUrl: settings.baseUrl, secret: resolveWebhookSecret(settings) }, operatorId)
}

/** The payment provider of this deployment; `embedded` is there when it is ours. A vendor's library is loaded where it is used. */
export async function createPayments(
  settings: PaymentSettings,
  store: ProviderStore,
): Promise<{ payments: PaymentPort; embedded?: EmbeddedPayments }> {
  if ('stripe' in settings)
    return { payments: (await import('./stripe/index.ts')).createStripePayments(settings.stripe) }
  const { baseUrl, prices, trustedOrigins } = settings.embedded
  const secret = resolveWebhookSecret(settings.embedded)
  const embedded = createEmbeddedPayments({
    store,
    secret,
    baseUrl,
    prices,
    trustedOrigins,
    now: () => new Date(),
  })
  return { payments: embedded.payments, embedded }
}

function resolveWebhookSecret({ webhookSecret, serverSecret }: EmbeddedSettings): string {
  return webhookSecret ?? createHmac('sha256', serverSecret).update('payment webhooks').digest('hex')
}
