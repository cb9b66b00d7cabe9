import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../config.ts'
import { createCatalog, type Catalog } from '../../../providers/model/gateway-catalog.ts'
import { createModels, type ModelOptions } from '../../../providers/model/router.ts'
import { warnOfMissingPrices } from '../../../workers/deps/missing-prices.ts'
import { createFakeModel, type FakeModel } from '../../world/models/fake-model.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const pricing = { input: '0.000003', output: 0.000015, input_cache_read: '3e-7', input_cache_write: '0.00000375' }
const prices = { input: 3e-6, output: 1.5e-5, cachedInput: 3e-7, cacheWrite: 3.75e-6 }
const known = { id: 'vendor/known', object: 'model', context_window: 200_000, pricing }

let server: FakeModel
beforeAll(async () => {
  server = await createFakeModel()
})
afterAll(() => server.close())

let now: number
let errors: unknown[]
let catalog: Catalog
beforeEach(() => {
  now = 0
  errors = []
  server.list([known])
  server.catalogReads.length = 0
  const onError = (error: unknown): void => void errors.push(error)
  catalog = createCatalog({ baseUrl: server.url, apiKey: 'key', onError, now: () => now })
})

const findPrices = async (modelId: string) => (await catalog.find(modelId))?.prices

const untilRead = async (times: number): Promise<void> => {
  await expect.poll(() => server.catalogReads.length).toBe(times)
}

test('a catalog is read once, with the API key, for any number of concurrent callers', async () => {
  expect(await Promise.all(Array.from({ length: 5 }, () => findPrices('vendor/known')))).toEqual(
    Array.from({ length: 5 }, () => prices),
  )
  expect(await findPrices('vendor/unknown')).toBeUndefined()
  expect(server.catalogReads.map(({ authorization }) => authorization)).toEqual(['Bearer key'])
})

test('a catalog is read again after an hour, in the background', async () => {
  await findPrices('vendor/known')
  server.list([{ ...known, pricing: { input: '1e-6', output: '2e-6' } }])
  now = hourMs
  expect(await findPrices('vendor/known')).toEqual(prices)
  await untilRead(2)
  await expect.poll(() => findPrices('vendor/known')).toEqual({ input: 1e-6, output: 2e-6 })
  expect(server.catalogReads).toHaveLength(2)
})

test('a failed read of the catalog keeps the prices and is retried after a minute', async () => {
  await findPrices('vendor/known')
  server.list(503)
  now = hourMs
  await findPrices('vendor/known')
  await expect.poll(() => errors.length).toBe(1)
  expect(await findPrices('vendor/known')).toEqual(prices)
  expect(server.catalogReads).toHaveLength(2)
  now += minuteMs
  await findPrices('vendor/known')
  await untilRead(3)
  await expect.poll(() => errors.length).toBe(2)
})

test('a catalog that could never be read has no prices, and the error is reported', async () => {
  server.list(500)
  expect(await findPrices('vendor/known')).toBeUndefined()
  expect(await findPrices('vendor/known')).toBeUndefined()
  expect(errors).toEqual([expect.objectContaining({ message: 'the model catalog responded with status 500' })])
  expect(server.catalogReads).toHaveLength(1)
})

test.each([
  [{}],
  [{ pricing: { input: '', output: '0.1' } }],
  [{ pricing: { input: '-1', output: '0.1' } }],
  [{ pricing: { input: 'free', output: 0 } }],
  [{ pricing: { input: 5, output: 0 } }],
  [{ pricing: { image: '0.04' } }],
])('an entry with %j has no price, but the other entries have prices', async (fields) => {
  // A server may send entries that the type excludes.
  server.list([null as unknown as object, { id: 'vendor/odd', ...fields }, known])
  expect([await findPrices('vendor/odd'), await findPrices('vendor/known')]).toEqual([undefined, prices])
})

test('an impossible price of cached tokens is omitted', async () => {
  server.list([{ ...known, pricing: { ...pricing, input_cache_read: '', input_cache_write: -1 } }])
  expect(await findPrices('vendor/known')).toEqual({ input: 3e-6, output: 1.5e-5 })
})

const createTestModels = (settings: Record<string, string>, overrides: Partial<ModelOptions> = {}) =>
  createModels({
    localWordsPerSecond: 0,
    custom: { baseUrl: server.url, apiKey: undefined },
    gateway: { baseUrl: server.url, apiKey: 'key' },
    contextWindow: 1000,
    prices: loadConfig(settings).MODEL_PRICES,
    ...overrides,
  })

test('MODEL_PRICES sets prices for models of other endpoints and takes precedence over the catalog', async () => {
  const modelPrices = '{"custom/x":{"input":1,"cachedInput":0.1,"output":2},"vendor/known":{"input":9,"output":9}}'
  const models = createTestModels({ MODEL_PRICES: modelPrices })
  const ids = ['custom/x', 'custom/y', 'vendor/known', 'constructor', 'local/assistant']
  const described = await Promise.all(ids.map(async (id) => (await models.describe(id)).prices))
  expect(described).toEqual([
    { input: 1e-6, cachedInput: expect.closeTo(1e-7, 12) as number, output: 2e-6 },
    undefined,
    { input: 9e-6, output: 9e-6 },
    undefined,
    undefined,
  ])
  await models.close()
})

test('a gateway without a key has no prices and is not called', async () => {
  const models = createTestModels({}, { gateway: { baseUrl: server.url, apiKey: undefined } })
  expect((await models.describe('vendor/known')).prices).toBeUndefined()
  expect(server.catalogReads).toEqual([])
  await models.close()
})

test.each([
  [{ REQUIRE_CREDITS: 'true', DEFAULT_MODEL: 'vendor/unknown' }, ['vendor/unknown']],
  [{ REQUIRE_CREDITS: 'true', DEFAULT_MODEL: 'vendor/known', SUBAGENT_MODEL: 'custom/x' }, ['custom/x']],
  [{ REQUIRE_CREDITS: 'true', DEFAULT_MODEL: 'vendor/known' }, []],
  [{ DEFAULT_MODEL: 'vendor/unknown' }, []],
])('with %j, the models reported to have no price are %j', async (settings: Record<string, string>, expected) => {
  const models = createTestModels(settings)
  const warnings: unknown[] = []
  const log = { warn: (about: object) => void warnings.push(about) }
  await warnOfMissingPrices({ config: loadConfig(settings), models, log })
  expect(warnings).toEqual(expected.map((modelId) => ({ modelId })))
  await models.close()
})
