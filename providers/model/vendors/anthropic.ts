import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModelV3Message } from '@ai-sdk/provider'
import type { Vendor, VendorConnection } from './vendor.ts'

const cacheMark = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** Calls Anthropic's Messages API. Its prompt cache requires marks on the system prompt and the last message. */
export function createAnthropicVendor({ apiKey, baseUrl, fetch }: VendorConnection): Vendor {
  const provider = createAnthropic({ apiKey, baseURL: baseUrl, fetch })
  return {
    model: (name) => provider(name),
    prepare: (prompt) =>
      prompt.map((message, index) =>
        message.role === 'system' || index === prompt.length - 1 ? addCacheMark(message) : message,
      ),
  }
}

function addCacheMark(message: LanguageModelV3Message): LanguageModelV3Message {
  return { ...message, providerOptions: { ...message.providerOptions, ...cacheMark } }
}
