import { Agent, request } from 'undici'
import { z } from 'zod'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import { parseJson } from '../../domain/fields/json.ts'
import type { ModelInputs } from '../../domain/chat/attachments.ts'
import type { TokenPrices } from '../../domain/credits/token-prices.ts'
import { readCapped } from '../capped.ts'

export type CatalogOptions = {
  /** Base URL, up to and including the version. */
  baseUrl: string
  apiKey: string
  /** Called for each failed read, at most once a minute, and only when prices are requested. */
  onError?: ((error: unknown) => void) | undefined
  now?: () => number
}

/** `contextWindow` is in tokens, and absent if the catalog does not contain it. */
type CatalogEntry = { prices: TokenPrices; contextWindow?: number; inputs?: ModelInputs }

export type Catalog = {
  /** Finds a model; undefined if it has no price in the catalog or the catalog has not been read yet. */
  find(modelId: string): Promise<CatalogEntry | undefined>
  /** Lists the ids of all models with a price. */
  list(): Promise<string[]>
  close(): void
}

const readTimeoutMs = 5000
const refreshIntervalMs = 60 * 60 * 1000
const retryIntervalMs = 60 * 1000
const maxBytes = 10 * 1024 * 1024

/** US dollars per token, as a string or number. A price above one dollar is rejected as an error. */
const priceSchema = z
  .union([z.number(), z.string().regex(/^\d+(\.\d+)?(e-?\d+)?$/i)])
  .transform(Number)
  .pipe(z.number().min(0).max(1))
const cachePriceSchema = priceSchema.optional().catch(undefined)

const entrySchema = z.object({
  id: z.string(),
  context_window: z.int().min(1000).max(100_000_000).optional().catch(undefined),
  tags: z.array(z.string()).optional().catch(undefined),
  input_modalities: z.array(z.string()).optional().catch(undefined),
  architecture: z
    .object({ input_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
  pricing: z.object({
    input: priceSchema,
    output: priceSchema,
    input_cache_read: cachePriceSchema,
    input_cache_write: cachePriceSchema,
  }),
})
const listSchema = z.object({ data: z.array(z.unknown()) })

/**
 * Creates the catalog of a gateway's models and prices, which is read on the first request and then every hour. Callers wait
 * only for the first read, at most five seconds. After a failed read, the previous prices stay in use.
 */
export function createCatalog({ baseUrl, apiKey, onError, now = Date.now }: CatalogOptions): Catalog {
  const url = `${withoutTrailingSlashes(baseUrl)}/models`
  const closed = new AbortController()
  let lastEntries: Map<string, CatalogEntry> | undefined
  let dueAt = -Infinity
  let pendingRead: Promise<void> | undefined

  const download = async (): Promise<string> => {
    const agent = new Agent()
    try {
      const { statusCode, body } = await request(url, {
        dispatcher: agent,
        headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
        signal: AbortSignal.any([closed.signal, AbortSignal.timeout(readTimeoutMs)]),
      })
      if (statusCode !== 200) throw new Error(`the model catalog responded with status ${statusCode}`)
      return await readCapped(body as AsyncIterable<Buffer>, maxBytes)
    } finally {
      await agent.destroy()
    }
  }

  const read = async (): Promise<void> => {
    try {
      lastEntries = parseEntries(await download())
      dueAt = now() + refreshIntervalMs
    } catch (error) {
      dueAt = now() + retryIntervalMs
      if (!closed.signal.aborted) onError?.(error)
    } finally {
      pendingRead = undefined
    }
  }

  const readEntries = async (): Promise<Map<string, CatalogEntry> | undefined> => {
    if (now() >= dueAt) pendingRead ??= read()
    if (lastEntries === undefined) await pendingRead
    return lastEntries
  }

  return {
    find: async (modelId) => (await readEntries())?.get(modelId),
    list: async () => [...((await readEntries())?.keys() ?? [])],
    close: () => closed.abort(),
  }
}

/** Parses the prices. Omits models without plausible token prices, such as image and embedding models. */
function parseEntries(text: string): Map<string, CatalogEntry> {
  const entries = new Map<string, CatalogEntry>()
  for (const item of listSchema.parse(parseJson(text)).data) {
    const { data } = entrySchema.safeParse(item)
    if (data === undefined) continue
    const { input, output, input_cache_read: cachedInput, input_cache_write: cacheWrite } = data.pricing
    const { context_window: contextWindow } = data
    const inputs = readInputs(data)
    entries.set(data.id, {
      prices: {
        input,
        output,
        ...(cachedInput !== undefined && { cachedInput }),
        ...(cacheWrite !== undefined && { cacheWrite }),
      },
      ...(contextWindow !== undefined && { contextWindow }),
      ...(inputs !== undefined && { inputs }),
    })
  }
  return entries
}

/**
 * Reads the input types of a model from its modalities or its tags. A tag means that the model accepts the type; a missing
 * tag means that this is unknown.
 */
function readInputs({
  tags,
  input_modalities: topLevel,
  architecture,
}: z.output<typeof entrySchema>): ModelInputs | undefined {
  const modalities = topLevel ?? architecture?.input_modalities
  if (modalities !== undefined)
    return {
      image: modalities.includes('image'),
      audio: modalities.includes('audio'),
      ...((modalities.includes('file') || modalities.includes('pdf')) && { pdf: true }),
    }
  const [image, pdf] = [tags?.includes('vision'), tags?.includes('file-input')]
  return image === true || pdf === true ? { ...(image && { image }), ...(pdf && { pdf }) } : undefined
}
