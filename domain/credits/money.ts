/** Credits in one US dollar: a credit is a micro-dollar. */
const creditsPerUsd = 1_000_000n
/** Number of decimals to which an amount in USD is rounded before its conversion: six decimals of a credit. */
const roundedDecimals = 12

type Decimal = { digits: bigint; decimals: number }

const decimalPattern = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/** Adds two decimal texts exactly. */
export function addUsd(a: string, b: string): string {
  const { first, second, decimals } = align(a, b)
  return formatDecimal({ digits: first + second, decimals })
}

/** Multiplies a decimal text by a non-negative integer exactly. */
export function multiplyUsd(usd: string, times: number): string {
  const { digits, decimals } = parseDecimal(usd)
  return formatDecimal({ digits: digits * BigInt(times), decimals })
}

/** Returns whether the first of two decimal texts is the larger amount. */
export function isMoreUsd(a: string, b: string): boolean {
  const { first, second } = align(a, b)
  return first > second
}

/** Converts USD to credits. Rounds the credits to six decimals, then down to an integer, and returns at least 1. */
export function usdToCredits(usd: string): number {
  const credits = rescale(parseDecimal(usd), roundedDecimals) / (10n ** BigInt(roundedDecimals) / creditsPerUsd)
  if (credits > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError('an amount in USD exceeds the maximum number of credits')
  return Math.max(1, Number(credits))
}

/** Converts credits to USD, as a decimal text with six decimals. */
export function creditsToUsd(credits: number): string {
  const digits = String(Math.abs(credits)).padStart(7, '0')
  return `${credits < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** Returns the digits of both amounts, scaled to the larger number of decimals. */
function align(a: string, b: string): { first: bigint; second: bigint; decimals: number } {
  const [first, second] = [parseDecimal(a), parseDecimal(b)]
  const decimals = Math.max(first.decimals, second.decimals)
  return { first: rescale(first, decimals), second: rescale(second, decimals), decimals }
}

/** Parses a decimal text into an integer and its scale. Throws for anything other than a finite amount of at least 0. */
function parseDecimal(text: string): Decimal {
  const [, whole, fraction = '', exponent = '0'] = decimalPattern.exec(text) ?? []
  if (whole === undefined) throw new RangeError('an amount in USD must be a non-negative decimal number')
  const decimals = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return decimals < 0 ? { digits: digits * 10n ** BigInt(-decimals), decimals: 0 } : { digits, decimals }
}

/** Returns the digits of the amount with `targetDecimals` decimals, rounded half up. */
function rescale({ digits, decimals }: Decimal, targetDecimals: number): bigint {
  if (decimals <= targetDecimals) return digits * 10n ** BigInt(targetDecimals - decimals)
  const unit = 10n ** BigInt(decimals - targetDecimals)
  return (digits + unit / 2n) / unit
}

function formatDecimal({ digits, decimals }: Decimal): string {
  const text = String(digits).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}
