import type { ProviderStore } from './store.ts'

/** Monthly amount of a price. */
export type Price = { id: string; name: string; amountCents: number }

export type ProviderOptions = {
  store: ProviderStore
  /** Signs events, page URLs and forms. */
  secret: string
  /** Base URL of the pages. */
  baseUrl: string
  prices: readonly Price[]
  /** Origins to which the pages redirect automatically. Other targets are shown as a link. */
  trustedOrigins: readonly string[]
  now: () => Date
}

/** Dependencies of all parts of the embedded provider. */
export type EmbeddedProvider = ProviderOptions & {
  /** Starts a delivery round for new events. */
  wake(): void
}

export const currency = 'usd'
export const interval = 'month'
