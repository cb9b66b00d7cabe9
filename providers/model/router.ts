import type { TokenPrices } from '../../domain/credits/model-prices.ts'
import type { CatalogOptions } from './catalog.ts'
import { createCustomModel, createGatewayModel } from './gateway.ts'
import type { ModelLists, ModelPort } from './index.ts'
import type { OpenAiOptions } from './openai/openai.ts'
import { createLocalModel } from './local.ts'

export type ModelOptions = {
  localWordsPerSecond: number
  custom: { baseUrl: string | undefined; apiKey: string | undefined }
  gateway: { baseUrl: string | undefined; apiKey: string | undefined }
  contextWindow: number
  /** Time without a byte after which a call is aborted. */
  silenceMs?: number
  onOddReport?: OpenAiOptions['onOddReport']
  /** Called when the catalog of the gateway cannot be read. */
  onCatalogFault?: CatalogOptions['onFault']
  /** Prices by full model id, which override the catalog. */
  prices?: Readonly<Record<string, TokenPrices>> | undefined
}

const builtIn = 'local/assistant'

/**
 * Routes model ids to their adapters: `local/` to the built-in models, `custom/` to the operator's own server, and all
 * others to the gateway.
 */
export function createModels(options: ModelOptions): ModelPort & ModelLists & { close(): Promise<void> } {
  const { contextWindow, silenceMs, onOddReport, onCatalogFault } = options
  const remote = { contextWindow, onOddReport, ...(silenceMs !== undefined && { silenceMs }) }
  const local = createLocalModel({ wordsPerSecond: options.localWordsPerSecond, contextWindow })
  const custom = createCustomModel({ ...options.custom, ...remote })
  const gateway = createGatewayModel({ ...options.gateway, ...remote, onCatalogFault })
  const ownPrices = new Map(Object.entries(options.prices ?? {}))
  const selectPort = (modelId: string): ModelPort =>
    modelId.startsWith('local/') ? local : modelId.startsWith('custom/') ? custom : gateway
  return {
    stream: (call, signal) => selectPort(call.modelId).stream(call, signal),
    describe: async (modelId) => {
      const prices = ownPrices.get(modelId)
      return {
        ...(await selectPort(modelId).describe(modelId)),
        ...(prices !== undefined && { prices, pricesFrom: 'settings' }),
      }
    },
    list: async () => [...new Set([builtIn, ...ownPrices.keys(), ...(await gateway.list())])],
    close: async () => {
      await Promise.all([custom.close(), gateway.close()])
    },
  }
}
