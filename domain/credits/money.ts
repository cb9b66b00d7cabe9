/** Credits in one US dollar: a credit is a micro-dollar. */
const creditsPerUsd = 1_000_000n
/** Decimals of a price in USD to which it is settled before it becomes credits: six of them beyond the credit. */
const settledDecimals = 12

type Decimal = { digits: bigint; decimals: number }

const decimalPattern = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/** A sum of decimal texts, exact. */
export function addUsd(a: string, b: string): string {
  const { first, second, decimals } = align(a, b)
  return show({ digits: first + second, decimals })
}

/** A decimal text times a whole number from 0 up, exact. */
export function multiplyUsd(usd: string, times: number): string {
  const { digits, decimals } = parseDecimal(usd)
  return show({ digits: digits * BigInt(times), decimals })
}

/** Whether the first of two decimal texts is the greater amount. */
export function isMoreUsd(a: string, b: string): boolean {
  const { first, second } = align(a, b)
  return first > second
}

/** Credits of a price in USD: max(1, floor(usd x 1,000,000 settled to six decimals)). */
export function usdToCredits(usd: string): number {
  const credits = rescale(parseDecimal(usd), settledDecimals) / (10n ** BigInt(settledDecimals) / creditsPerUsd)
  if (credits > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('an amount in USD is beyond what can be booked')
  return Math.max(1, Number(credits))
}

/** Credits as USD: a decimal text with six decimals. */
export function creditsToUsd(credits: number): string {
  const digits = String(Math.abs(credits)).padStart(7, '0')
  return `${credits < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** Both amounts in their finer scale. */
function align(a: string, b: string): { first: bigint; second: bigint; decimals: number } {
  const [first, second] = [parseDecimal(a), parseDecimal(b)]
  const decimals = Math.max(first.decimals, second.decimals)
  return { first: rescale(first, decimals), second: rescale(second, decimals), decimals }
}

/** Parses a decimal text into an integer and its scale. Throws for anything other than a finite amount of at least 0. */
function parseDecimal(text: string): Decimal {
  const [, whole, fraction = '', exponent = '0'] = decimalPattern.exec(text) ?? []
  if (whole === undefined) throw new RangeError('an amount in USD must be a decimal number from 0 up')
  const decimals = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return decimals < 0 ? { digits: digits * 10n ** BigInt(-decimals), decimals: 0 } : { digits, decimals }
}

/** The same amount with that many decimals, the last one rounded half up. */
function rescale({ digits, decimals }: Decimal, wanted: number): bigint {
  if (decimals <= wanted) return digits * 10n ** BigInt(wanted - decimals)
  const unit = 10n ** BigInt(decimals - wanted)
  return (digits + unit / 2n) / unit
}

function show({ digits, decimals }: Decimal): string {
  const text = String(digits).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
