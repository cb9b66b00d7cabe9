import type { TokenPrices } from '../../domain/credits/token-prices.ts'
import type { CatalogOptions } from './gateway-catalog.ts'
import { createCustomModel, createGatewayModel } from './gateway.ts'
import type { ModelCatalog, ModelPort } from './index.ts'
import type { OpenAiOptions } from './openai/openai.ts'
import { createLocalModel } from './local.ts'
import { createVendorModel, type VendorOptions } from './vendors/vendor.ts'

export type ModelOptions = {
  localWordsPerSecond: number
  custom: { baseUrl: string | undefined; apiKey: string | undefined }
  gateway: { baseUrl: string | undefined; apiKey: string | undefined }
  /** Vendors to call directly. Without a key, the gateway serves their models. */
  vendors?: Readonly<Record<VendorName, VendorAccess>> | undefined
  contextWindow: number
  /** Time without data after which a call is aborted. */
  silenceTimeoutMs?: number
  onInvalidUsage?: OpenAiOptions['onInvalidUsage']
  /** Called when the catalog of the gateway cannot be read. */
  onCatalogError?: CatalogOptions['onError']
  /** Prices by full model id, which override the catalog. */
  prices?: Readonly<Record<string, TokenPrices>> | undefined
}

type VendorAccess = { baseUrl: string; apiKey: string | undefined }

const embeddedModel = 'local/assistant'

/** Vendors' libraries are loaded on the first call. Each context window is the smallest of the vendor's current models. */
const vendors = {
  anthropic: {
    contextWindow: 200_000,
    load: async () => (await import('./vendors/anthropic.ts')).createAnthropicVendor,
  },
  google: { contextWindow: 1_048_576, load: async () => (await import('./vendors/google.ts')).createGoogleVendor },
} satisfies Record<string, Pick<VendorOptions, 'contextWindow' | 'load'>>
type VendorName = keyof typeof vendors

/**
 * Routes model ids to their adapters: `local/` to the embedded models, `custom/` to the operator's server, ids of a
 * vendor with an API key to the vendor, and all other ids to the gateway.
 */
export function createModels(options: ModelOptions): ModelPort & ModelCatalog & { close(): Promise<void> } {
  const { contextWindow, silenceTimeoutMs, onInvalidUsage, onCatalogError } = options
  const remoteOptions = { contextWindow, onInvalidUsage, ...(silenceTimeoutMs !== undefined && { silenceTimeoutMs }) }
  const local = createLocalModel({ wordsPerSecond: options.localWordsPerSecond, contextWindow })
  const custom = createCustomModel({ ...options.custom, ...remoteOptions })
  const gateway = createGatewayModel({ ...options.gateway, ...remoteOptions, onCatalogError })
  const configuredPrices = new Map(Object.entries(options.prices ?? {}))
  const ports = new Map<string, ModelPort>([['local', local], ['custom', custom], ...createVendorPorts(options)])
  const selectPort = (modelId: string): ModelPort => ports.get(modelId.split('/', 1)[0] ?? '') ?? gateway
  return {
    stream: (call, signal, onPart) => selectPort(call.modelId).stream(call, signal, onPart),
    describe: async (modelId) => {
      const prices = configuredPrices.get(modelId)
      return {
        ...(await selectPort(modelId).describe(modelId)),
        ...(prices !== undefined && { prices, pricesFrom: 'settings' }),
      }
    },
    list: async () => [...new Set([embeddedModel, ...configuredPrices.keys(), ...(await gateway.list())])],
    close: async () => {
      await Promise.all([custom.close(), gateway.close()])
    },
  }
}

function createVendorPorts({ vendors: access, silenceTimeoutMs }: ModelOptions): [string, ModelPort][] {
  return Object.entries(access ?? {}).flatMap(([name, { baseUrl, apiKey }]) =>
    apiKey === undefined
      ? []
      : [[name, createVendorModel({ ...vendors[name as VendorName], baseUrl, apiKey, silenceTimeoutMs })]],
  )
}
