import { z } from 'zod'

/** Value of a master catalog in USD: decimal texts with two decimals, as stored. */
export type Band = { low: string; mid: string; high: string }

/** `grossUpPercent` adds the streams on other platforms. `multiple`: multiple of a year's earnings that a buyer pays. */
const edges = {
  low: { grossUpPercent: 125n, multiple: 10n },
  mid: { grossUpPercent: 140n, multiple: 13n },
  high: { grossUpPercent: 160n, multiple: 16n },
}

/** Payout per stream in ten-thousandths of a dollar: 0.0035 USD. */
const tenThousandthsPerStream = 35n
const percentAfterDistribution = 85n
const percentAfterRoyalties = 75n

/** One cent in the unit of the product: ten-thousandths of a dollar times three percentages. */
const partsOfCent = (10_000n * 100n * 100n * 100n) / 100n

/**
 * Computes the band: streams per year of age x 0.0035 USD x gross-up (1.25, 1.4, 1.6) x 0.85 after distribution x 0.75
 * after royalties x multiple (10, 13, 16), each edge rounded once, half up, to the cent. Exact for any number of
 * streams. Throws `RangeError` for streams below 0 and for an age that is not an integer of at least 1.
 */
export function valuationBand(totalStreams: bigint, ageYears: number): Band {
  if (totalStreams < 0n || !Number.isSafeInteger(ageYears) || ageYears < 1)
    throw new RangeError('a band requires non-negative streams and an age of at least one whole year')
  return {
    low: computeEdge(totalStreams, ageYears, edges.low),
    mid: computeEdge(totalStreams, ageYears, edges.mid),
    high: computeEdge(totalStreams, ageYears, edges.high),
  }
}

const usd = z.number().min(0)

export const bandSchema = z
  .object({ low: usd, mid: usd, high: usd })
  .meta({ id: 'ValuationBand', description: 'Estimated value in USD, to the cent.' })

/** Converts to JSON numbers, which are exact to the cent below 10^13 USD. */
export function toBandResponse({ low, mid, high }: Band): z.output<typeof bandSchema> {
  return {
    low: Number(low),
    mid: Number(mid),
    high: Number(high),
  }
}

function computeEdge(
  totalStreams: bigint,
  ageYears: number,
  { grossUpPercent, multiple }: (typeof edges)[keyof typeof edges],
): string {
  const parts =
    totalStreams *
    tenThousandthsPerStream *
    grossUpPercent *
    percentAfterDistribution *
    percentAfterRoyalties *
    multiple
  return formatUsd(roundHalfUp(parts, partsOfCent * BigInt(ageYears)))
}

function formatUsd(cents: bigint): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
