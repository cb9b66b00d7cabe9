import { isMoreUsd, addUsd, multiplyUsd, usdToCredits } from '../credits/money.ts'

/** What measuring so many albums is estimated to cost, in USD: a decimal text. */
export const captureUsd = (albumCount: number, usdPerAlbum: string): string => multiplyUsd(usdPerAlbum, albumCount)

/** The same in credits. */
export const captureCredits = (albumCount: number, usdPerAlbum: string): number =>
  usdToCredits(captureUsd(albumCount, usdPerAlbum))

/** Of which every valuation needs the price before anything is looked up: no artist has less than one album. */
export const leastCaptureCredits = (usdPerAlbum: string): number => captureCredits(1, usdPerAlbum)

/** Whether the estimates of the month and one more are within the budget of the month. All in USD. */
export const isWithinBudget = (month: { spentUsd: string; estimateUsd: string; budgetUsd: string }): boolean =>
  !isMoreUsd(addUsd(month.spentUsd, month.estimateUsd), month.budgetUsd)

/** First instant of the UTC month. */
export const monthStart = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/** Seconds until the next UTC month, when the budget is whole again. */
export const secondsToNextMonth = (now: Date): number =>
  Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000)

/** Of the hold, and of the debit that it becomes. */
export const captureReference = (jobId: string): string => `capture:${jobId}`

export const captureHoldMs = 2 * 60 * 60 * 1000
