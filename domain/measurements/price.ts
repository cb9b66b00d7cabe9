import { isMoreUsd, addUsd, multiplyUsd, usdToCredits } from '../credits/money.ts'

/** Estimates the cost of measuring a number of albums, as a decimal text in USD. */
export function captureUsd(albumCount: number, usdPerAlbum: string): string {
  return multiplyUsd(usdPerAlbum, albumCount)
}

/** The same in credits. */
export function captureCredits(albumCount: number, usdPerAlbum: string): number {
  return usdToCredits(captureUsd(albumCount, usdPerAlbum))
}

/** Of which every valuation needs the price before anything is looked up: no artist has less than one album. */
export function minCaptureCredits(usdPerAlbum: string): number {
  return captureCredits(1, usdPerAlbum)
}

/** Whether the estimates of the month and one more are within the budget of the month. All in USD. */
export function isWithinBudget(month: { spentUsd: string; estimateUsd: string; budgetUsd: string }): boolean {
  return !isMoreUsd(addUsd(month.spentUsd, month.estimateUsd), month.budgetUsd)
}

/** First instant of the UTC month. */
export function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
}

/** Seconds until the next UTC month, when the budget is whole again. */
export function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000)
}

/** Of the hold, and of the debit that it becomes. */
export function captureReference(jobId: string): string {
  return `capture:${jobId}`
}
