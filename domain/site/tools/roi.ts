import { z } from 'zod'

export const RoiInput = z.strictObject({
  monthlyHours: amount(100_000, 'Hours that the task takes in a month.'),
  hourlyCost: amount(10_000, 'US dollars that one of those hours costs.'),
  timeReduction: amount(100, 'Percent of the time that would be saved: an assumption of the caller.'),
  monthlySystemCost: amount(1_000_000, 'US dollars a month that the new way costs.'),
  setupCost: amount(10_000_000, 'US dollars that it costs once.'),
})
export type RoiInput = z.output<typeof RoiInput>

const resultSchema = z.looseObject({
  hoursSaved: z.number(),
  capacityValue: z.number(),
  monthlyNetValue: z.number(),
  firstYearNetValue: z.number(),
  paybackMonths: z.number().nullable(),
})

export const RoiEstimate = z.looseObject({
  status: z.literal('calculated'),
  assumptions: z.looseObject(RoiInput.shape),
  result: resultSchema,
  units: z.record(z.string(), z.string()),
  interpretation: z.string(),
})

const units = {
  monthlyHours: 'hours/month',
  hourlyCost: 'USD/hour',
  timeReduction: 'percent',
  monthlySystemCost: 'USD/month',
  setupCost: 'USD',
  hoursSaved: 'hours/month',
  capacityValue: 'USD/month',
  monthlyNetValue: 'USD/month',
  firstYearNetValue: 'USD',
  paybackMonths: 'months',
}

const interpretation =
  'These figures follow only from the five numbers you entered. Capacity value is the worth of time set free, not cash received. They are not a quote, and a null payback means that no payback period follows from these numbers.'

/** Computes the estimate in doubles from left to right without rounding, so that every client gets the same digits. */
export function estimateRoi(assumptions: RoiInput): z.output<typeof RoiEstimate> {
  const { monthlyHours, hourlyCost, timeReduction, monthlySystemCost, setupCost } = assumptions
  const hoursSaved = (monthlyHours * timeReduction) / 100
  const capacityValue = hoursSaved * hourlyCost
  const monthlyNetValue = capacityValue - monthlySystemCost
  const firstYearNetValue = 12 * monthlyNetValue - setupCost
  const payback = monthlyNetValue > 0 ? setupCost / monthlyNetValue : null
  const paybackMonths = payback !== null && Number.isFinite(payback) ? payback : null
  const result = { hoursSaved, capacityValue, monthlyNetValue, firstYearNetValue, paybackMonths }
  return { status: 'calculated', assumptions: { ...assumptions }, result, units: { ...units }, interpretation }
}

function amount(max: number, description: string) {
  return z.number().min(0).max(max).meta({ description })
}
