import { createCatalog, type CatalogOptions } from './gateway-catalog.ts'
import { describeModel } from './sizes.ts'
import { ModelError, type ModelCatalog, type ModelPort } from './index.ts'
import { createOpenAiModel, type OpenAiOptions } from './openai/openai.ts'

type ClosablePort = ModelPort & { close(): Promise<void> }
type Gateway = ClosablePort & Pick<ModelCatalog, 'list'>
type Endpoint = {
  baseUrl: string | undefined
  apiKey: string | undefined
  contextWindow: number
  silenceTimeoutMs?: number
  onInvalidUsage?: OpenAiOptions['onInvalidUsage']
}

/** Creates the adapter of the gateway, which serves models of all vendors by full id and reports their prices. */
export function createGatewayModel({
  baseUrl,
  apiKey,
  contextWindow,
  onCatalogError,
  ...limits
}: Endpoint & { onCatalogError?: CatalogOptions['onError'] }): Gateway {
  if (baseUrl === undefined || apiKey === undefined)
    return createUnsetModel(
      `${baseUrl === undefined ? 'GATEWAY_BASE_URL' : 'GATEWAY_API_KEY'} is not set: set it to call models of the gateway`,
      contextWindow,
    )
  const catalog = createCatalog({ baseUrl, apiKey, onError: onCatalogError })
  const model = createOpenAiModel({
    name: 'gateway',
    baseUrl,
    apiKey,
    contextWindow,
    ...limits,
    modelName: (modelId) => modelId,
    vendor: (modelId) => modelId.split('/', 1)[0],
    cacheMarks: (modelId) => modelId.startsWith('anthropic/'),
  })
  return {
    stream: (call, signal, onPart) => model.stream(call, signal, onPart),
    describe: async (modelId) => {
      const entry = await catalog.find(modelId)
      return {
        ...describeModel(entry?.contextWindow ?? contextWindow),
        ...(entry && { prices: entry.prices, pricesFrom: 'gateway' }),
        ...(entry?.inputs && { inputs: entry.inputs }),
      }
    },
    list: () => catalog.list(),
    close: async () => {
      catalog.close()
      await model.close()
    },
  }
}

/** Creates the adapter of the operator's OpenAI-compatible server, for ids `custom/<model>`. */
export function createCustomModel({ baseUrl, apiKey, contextWindow, ...limits }: Endpoint): ClosablePort {
  return baseUrl === undefined
    ? createUnsetModel('MODEL_BASE_URL is not set: set it to call custom/<model> ids', contextWindow)
    : createOpenAiModel({
        name: 'custom',
        baseUrl,
        ...(apiKey !== undefined && { apiKey }),
        contextWindow,
        ...limits,
        modelName: (modelId) => modelId.slice(modelId.indexOf('/') + 1),
      })
}

/** Creates the adapter of an endpoint with a missing setting. Each call fails with a message that names the setting. */
function createUnsetModel(message: string, contextWindow: number): Gateway {
  return {
    stream: () => Promise.reject(new ModelError(message, { retryable: false })),
    describe: () => Promise.resolve({ ...describeModel(contextWindow), unset: true as const }),
    list: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }
}
