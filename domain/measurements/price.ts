import { isMoreUsd, addUsd, multiplyUsd, usdToCredits } from '../credits/money.ts'

/** Returns the estimated cost of measuring albums in USD, as a decimal text. */
export function captureUsd(albumCount: number, usdPerAlbum: string): string {
  return multiplyUsd(usdPerAlbum, albumCount)
}

/** Returns the estimated cost of measuring albums, in credits. */
export function captureCredits(albumCount: number, usdPerAlbum: string): number {
  return usdToCredits(captureUsd(albumCount, usdPerAlbum))
}

/** Returns the price of measuring one album. The balance must cover it before a valuation reads the releases. */
export function minCaptureCredits(usdPerAlbum: string): number {
  return captureCredits(1, usdPerAlbum)
}

/** Returns whether the month's estimates plus a new estimate are within the monthly budget. Amounts are in USD. */
export function isWithinBudget(month: { spentUsd: string; estimateUsd: string; budgetUsd: string }): boolean {
  return !isMoreUsd(addUsd(month.spentUsd, month.estimateUsd), month.budgetUsd)
}

/** Returns the start of the UTC month. */
export function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
}

/** Returns the seconds until the next UTC month, when the budget is reset. */
export function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000)
}

/** Returns the ledger reference of a measurement job's hold and debit. */
export function captureReference(jobId: string): string {
  return `capture:${jobId}`
}
