import type { PlanTable } from '../../credits/plans.ts'
import type { PriceTable } from '../../credits/prices.ts'

/** What the product is configured to be, as far as its public texts say it. */
export type Described = {
  serviceName: string
  siteUrl: string
  baseUrl: string
  contact: string
  plans: PlanTable
  prices: PriceTable
}

/** Names that texts write as `{{name}}`, and what stands there: numbers as people write them. */
export function factsOf({ serviceName, siteUrl, baseUrl, contact, plans, prices }: Described): Map<string, string> {
  const planFacts = Object.entries(plans).flatMap(([plan, terms]): [string, string][] => [
    [`plan.${plan}.credits`, terms.allotment.toLocaleString('en-US')],
    [`plan.${plan}.usd`, `$${terms.priceCents / 100}`],
    [`plan.${plan}.trial-days`, String(terms.trialDays)],
    [`plan.${plan}.tasks`, terms.taskLimit === null ? 'any number of' : String(terms.taskLimit)],
    [`plan.${plan}.gap`, duration(terms.minGapMinutes)],
  ])
  const priceFacts = Object.entries(prices).map(([name, price]): [string, string] => [
    `price.${name.replaceAll('_', '-')}`,
    typeof price === 'number' ? price.toLocaleString('en-US') : `$${price}`,
  ])
  return new Map([
    ['service', serviceName],
    ['site-url', siteUrl],
    ['base-url', baseUrl],
    ['contact', contact],
    ...planFacts,
    ...priceFacts,
  ])
}

const units: readonly (readonly [minutes: number, name: string])[] = [
  [10_080, 'week'],
  [1440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
]

function duration(minutes: number): string {
  const [length, name] = units.find(([unit]) => minutes % unit === 0) ?? [1, 'minute']
  const count = minutes / length
  return count === 1 ? `one ${name}` : `${count} ${name}s`
}
