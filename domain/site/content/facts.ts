import { formatMinutes } from '../../fields/durations.ts'
import type { PlanTable } from '../../credits/plans.ts'
import type { PriceTable } from '../../credits/work-prices.ts'

/** Configuration values that public texts contain. */
export type FactSources = {
  serviceName: string
  siteUrl: string
  baseUrl: string
  contact: string
  plans: PlanTable
  prices: PriceTable
}

/** Returns the values that replace `{{name}}` in texts, with formatted numbers. */
export function listFacts({ serviceName, siteUrl, baseUrl, contact, plans, prices }: FactSources): Map<string, string> {
  const planFacts = Object.entries(plans).flatMap(([plan, terms]): [string, string][] => [
    [`plan.${plan}.credits`, terms.allotment.toLocaleString('en-US')],
    [`plan.${plan}.usd`, `$${terms.priceCents / 100}`],
    [`plan.${plan}.trial-days`, String(terms.trialDays)],
    [`plan.${plan}.tasks`, terms.taskLimit === null ? 'any number of' : String(terms.taskLimit)],
    [`plan.${plan}.gap`, formatMinutes(terms.minGapMinutes)],
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
