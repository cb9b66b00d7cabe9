import type { ProviderStore } from './store.ts'

/** What a subscription to a price costs, each month. */
export type Price = { id: string; name: string; amountCents: number }

export type ProviderOptions = {
  store: ProviderStore
  /** Signs events, the addresses of pages and their forms. */
  secret: string
  /** Under which the pages are served. */
  baseUrl: string
  prices: readonly Price[]
  /** Origins that the pages lead to without asking; others are shown, and wait for a click. */
  trustedOrigins: readonly string[]
  now: () => Date
}

/** What every part of the embedded provider works with. */
export type EmbeddedProvider = ProviderOptions & {
  /** There is something to deliver. */
  wake(): void
}

export const currency = 'usd'
export const interval = 'month'
