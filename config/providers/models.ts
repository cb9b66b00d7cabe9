import { z } from 'zod'
import { modelPrices } from '../../domain/credits/token-prices.ts'
import { count, flag, json, modelId } from '../values.ts'

const modelNames = {
  DEFAULT_MODEL: modelId
    .optional()
    .meta({ description: 'Model of new chats. Default: local/assistant, or custom/default with MODEL_BASE_URL.' }),
  SMALL_MODEL: modelId.optional().meta({ description: 'Model of titles and commit messages. Default: DEFAULT_MODEL.' }),
  SUBAGENT_MODEL: modelId
    .optional()
    .meta({ description: 'Model of sub-agents (the task tool). Unset: the model of the turn.' }),
  MODEL_ALLOW_LIST: z
    .string()
    .optional()
    .meta({ description: 'Comma-separated models that chats may choose. Unset: any.' }),
  MODEL_BASE_URL: z
    .url()
    .optional()
    .meta({ description: 'OpenAI-compatible endpoint (…/v1) that serves the custom/<model> ids.' }),
  MODEL_API_KEY: z.string().optional().meta({ description: 'Key of MODEL_BASE_URL.', secret: true }),
  MODEL_CONTEXT_WINDOW: count
    .default(128_000)
    .meta({ description: 'Context window, in tokens, that is assumed for a model of unknown size.' }),
  MODEL_SILENCE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(60)
    .meta({ description: 'Time without a byte after which a model call is abandoned and retried.' }),
  MODEL_OUTPUT_LIMIT: z.coerce.number().int().min(1).default(1_000_000).meta({
    description:
      'Maximum number of characters of one model call; each text, reasoning part and tool call counts as 100 more. A longer answer is cut off, and the turn fails.',
  }),
  MODEL_PRICES: json(modelPrices).optional().meta({
    description:
      'JSON of prices in USD per million tokens, as in {"custom/x":{"input":1,"cachedInput":0.1,"output":2}}; cacheWrite is optional. They take precedence over the prices of the model gateway.',
  }),
  GATEWAY_BASE_URL: z
    .url()
    .default('https://ai-gateway.vercel.sh/v1')
    .meta({ description: 'Model gateway that serves every other provider/model id.' }),
  GATEWAY_API_KEY: z.string().optional().meta({ description: 'Key of the model gateway.', secret: true }),
  ANTHROPIC_API_KEY: z.string().optional().meta({
    description:
      'Key of the Anthropic API, which then serves the anthropic/<model> ids. Unset: the model gateway does.',
    secret: true,
  }),
  ANTHROPIC_BASE_URL: z
    .url()
    .default('https://api.anthropic.com/v1')
    .meta({ description: 'Address of the Anthropic API.' }),
  GOOGLE_API_KEY: z.string().optional().meta({
    description: 'Key of the Gemini API, which then serves the google/<model> ids. Unset: the model gateway does.',
    secret: true,
  }),
  GOOGLE_BASE_URL: z
    .url()
    .default('https://generativelanguage.googleapis.com/v1beta')
    .meta({ description: 'Address of the Gemini API.' }),
  LOCAL_MODEL_WORDS_PER_SECOND: count
    .default(20)
    .meta({ description: 'Speed of the built-in local/* model. 0: as fast as possible.' }),
  AUTO_COMPACT: flag.default(false).meta({
    description:
      'true: earlier turns are summarized when a history fills 80% of the context window, in chats that do not set this themselves.',
  }),
  STEP_LIMIT: count.default(100).meta({ description: 'Maximum number of model calls of one turn.' }),
  RUN_TIME_LIMIT_SECONDS: count.default(14_400).meta({ description: 'Maximum run time of one turn.' }),
}

/** The limits of a turn, for `createEngine`. */
export function turnLimits(config: { STEP_LIMIT: number; RUN_TIME_LIMIT_SECONDS: number }) {
  return {
    stepLimit: config.STEP_LIMIT,
    timeLimitMs: config.RUN_TIME_LIMIT_SECONDS * 1000,
  }
}

/** The models, for `createModels`. */
export function modelSettings(config: z.output<z.ZodObject<typeof modelNames>>) {
  return {
    prices: config.MODEL_PRICES,
    localWordsPerSecond: config.LOCAL_MODEL_WORDS_PER_SECOND,
    custom: { baseUrl: config.MODEL_BASE_URL, apiKey: config.MODEL_API_KEY },
    gateway: { baseUrl: config.GATEWAY_BASE_URL, apiKey: config.GATEWAY_API_KEY },
    vendors: {
      anthropic: { baseUrl: config.ANTHROPIC_BASE_URL, apiKey: config.ANTHROPIC_API_KEY },
      google: { baseUrl: config.GOOGLE_BASE_URL, apiKey: config.GOOGLE_API_KEY },
    },
    contextWindow: config.MODEL_CONTEXT_WINDOW,
    silenceMs: config.MODEL_SILENCE_SECONDS * 1000,
  }
}

export const modelGroup = { names: modelNames, faults: () => [] }
