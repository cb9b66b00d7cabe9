import { createHmac } from 'node:crypto'
import { createEmbeddedPayments, type EmbeddedPayments } from './embedded/index.ts'
import { operatorId } from './embedded/pages/operator-page.ts'
import type { ProviderOptions } from './embedded/provider.ts'
import { pageUrl } from './embedded/port.ts'
import type { ProviderStore } from './embedded/store.ts'
import type { PaymentPort } from './index.ts'
import type { StripeOptions } from './stripe/index.ts'

type EmbeddedSettings = Pick<ProviderOptions, 'baseUrl' | 'prices' | 'trustedOrigins'> & {
  /** Default: derived from the secret of the deployment. */
  webhookSecret: string | undefined
  serverSecret: string
}

export type PaymentSettings = { stripe: StripeOptions } | { embedded: EmbeddedSettings }

/** Returns the URL of the embedded provider's page for operators. */
export function buildOperatorUrl(settings: EmbeddedSettings): string {
  return pageUrl({ baseUrl: settings.baseUrl, secret: resolveWebhookSecret(settings) }, operatorId)
}

/** Creates the payment provider of this deployment; `embedded` is set for the embedded provider. */
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
