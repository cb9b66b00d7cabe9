import type { z } from 'zod'
import { modelPrices } from '../../domain/credits/token-prices.ts'
import { anyText, anyUrl, count, flag, json, modelId, positive, secret } from '../values.ts'

const modelShape = {
  DEFAULT_MODEL: modelId().describe(
    'Model of new chats. Default: local/assistant, or custom/default with MODEL_BASE_URL.',
  ),
  SMALL_MODEL: modelId().describe('Model of titles and commit messages. Default: DEFAULT_MODEL.'),
  SUBAGENT_MODEL: modelId().describe('Model of sub-agents (the task tool). Unset: the model of the turn.'),
  MODEL_ALLOW_LIST: anyText().describe('Comma-separated models that chats can use. Unset: any.'),
  MODEL_BASE_URL: anyUrl().describe('OpenAI-compatible endpoint (…/v1) for models with ids custom/<model>.'),
  MODEL_API_KEY: secret('API key for MODEL_BASE_URL.'),
  MODEL_CONTEXT_WINDOW: count(128_000).describe(
    'Context window, in tokens, that is assumed for a model of unknown size.',
  ),
  MODEL_SILENCE_SECONDS: positive(60).describe(
    'Time without data, in seconds, after which a model call is abandoned and retried.',
  ),
  MODEL_OUTPUT_LIMIT: positive(1_000_000).describe(
    'Maximum number of characters of one model call; each text part, reasoning part and tool call counts as 100 more. Longer output is cut off, and the turn fails.',
  ),
  MODEL_PRICES: json(modelPrices).describe(
    'JSON object with prices in US dollars per million tokens, such as {"custom/x":{"input":1,"cachedInput":0.1,"output":2}}; cacheWrite is optional. These prices take precedence over the prices of the model gateway.',
  ),
  GATEWAY_BASE_URL: anyUrl('https://ai-gateway.vercel.sh/v1').describe(
    'URL of the model gateway, which serves all other models (provider/model).',
  ),
  GATEWAY_API_KEY: secret('API key of the model gateway.'),
  ANTHROPIC_API_KEY: secret(
    'API key of Anthropic. With it, anthropic/<model> ids use the Anthropic API instead of the model gateway.',
  ),
  ANTHROPIC_BASE_URL: anyUrl('https://api.anthropic.com/v1').describe('URL of the Anthropic API.'),
  GOOGLE_API_KEY: secret(
    'API key of Gemini. With it, google/<model> ids use the Gemini API instead of the model gateway.',
  ),
  GOOGLE_BASE_URL: anyUrl('https://generativelanguage.googleapis.com/v1beta').describe('URL of the Gemini API.'),
  LOCAL_MODEL_WORDS_PER_SECOND: count(20).describe(
    'Speed of the embedded local/* models, in words per second. 0: as fast as possible.',
  ),
  AUTO_COMPACT: flag(false).describe(
    'Summarizes earlier turns when a chat fills 80% of the context window. A chat can override this setting.',
  ),
  STEP_LIMIT: count(100).describe('Maximum number of model calls of one turn.'),
  RUN_TIME_LIMIT_SECONDS: count(14_400).describe('Maximum duration of one turn, in seconds.'),
}

/** Returns the turn limits for `createEngine`. */
export function turnLimits(config: { STEP_LIMIT: number; RUN_TIME_LIMIT_SECONDS: number }) {
  return {
    stepLimit: config.STEP_LIMIT,
    timeLimitMs: config.RUN_TIME_LIMIT_SECONDS * 1000,
  }
}

/** Returns the settings for `createModels`. */
export function modelSettings(config: z.output<z.ZodObject<typeof modelShape>>) {
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
    silenceTimeoutMs: config.MODEL_SILENCE_SECONDS * 1000,
  }
}

export const modelGroup = { settings: modelShape, validate: () => [] }
