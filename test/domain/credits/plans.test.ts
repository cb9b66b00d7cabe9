import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../../config.ts'

describe('the plan configuration', () => {
  it('has the values of the API contract', () => {
    const { plans, START_CREDITS } = loadConfig({})
    expect(plans.table).toEqual({
      free: { allotment: 3_330_000, priceCents: 0, trialDays: 0, taskLimit: 1, minGapMinutes: 10_080 },
      starter: { allotment: 20_000_000, priceCents: 1900, trialDays: 0, taskLimit: 3, minGapMinutes: 1440 },
      pro: { allotment: 300_000_000, priceCents: 9900, trialDays: 30, taskLimit: null, minGapMinutes: 60 },
    })
    expect(START_CREDITS).toBe(3_330_000)
  })

  it('reads individual terms from PLAN_OVERRIDES, which also change the starting credits', () => {
    const config = loadConfig({ PLAN_OVERRIDES: '{"free":{"allotment":5},"pro":{"taskLimit":100}}' })
    expect(config.plans.table.free).toMatchObject({ allotment: 5, taskLimit: 1 })
    expect(config.plans.table.pro).toMatchObject({ allotment: 300_000_000, taskLimit: 100 })
    expect(config.START_CREDITS).toBe(5)
    expect(loadConfig({ START_CREDITS: '7' }).START_CREDITS).toBe(7)
  })

  it('reads a list of domains in any letter case', () => {
    expect(loadConfig({ ENTERPRISE_DOMAINS: ' Label.Example, ,b.example' }).plans.enterpriseDomains).toEqual([
      'label.example',
      'b.example',
    ])
  })
})

it('PRICE_OVERRIDES changes individual prices', () => {
  const { prices } = loadConfig({ PRICE_OVERRIDES: '{"research_events":5,"capture_album_usd":"0.01"}' })
  expect(prices).toEqual({
    social_scrape_profile: 5,
    social_scrape_post: 1,
    research_events: 5,
    capture_album_usd: '0.01',
    music_second: 2000,
    content_video: 0,
  })
})

it.each([
  ['PLAN_OVERRIDES', '{', 'PLAN_OVERRIDES: must be JSON.'],
  ['PLAN_OVERRIDES', '{"gold":{}}', /^PLAN_OVERRIDES: .*"gold"/],
  ['PLAN_OVERRIDES', '{"free":{"allotment":-1}}', /^PLAN_OVERRIDES\.free\.allotment: /],
  ['PLAN_OVERRIDES', '{"pro":{"taskLimit":0}}', /^PLAN_OVERRIDES\.pro\.taskLimit: /],
  ['MODEL_PRICES', '{"x":{"input":1,"output":2}}', /^MODEL_PRICES\.x: /],
  ['MODEL_PRICES', '{"custom/x":{"input":1}}', /^MODEL_PRICES\.custom\/x\.output: /],
  ['MODEL_PRICES', '{"custom/x":{"input":-1,"output":2}}', /^MODEL_PRICES\.custom\/x\.input: /],
  ['MODEL_PRICES', '{"custom/x":{"input":1,"output":2,"cached":1}}', /^MODEL_PRICES\.custom\/x: /],
  ['PRICE_OVERRIDES', '{"music_second":1.5}', /^PRICE_OVERRIDES\.music_second: /],
  ['PRICE_OVERRIDES', '{"capture_album_usd":"free"}', /^PRICE_OVERRIDES\.capture_album_usd: must be a decimal/],
])('%s=%s is rejected with the position of the error', (name, value, message) => {
  expect(() => loadConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => loadConfig({ [name]: value })).toThrow(message)
})
