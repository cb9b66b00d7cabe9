import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type { Vendor, VendorConnection } from './vendor.ts'

/** Calls Google's Gemini API, which caches prompts automatically. */
export function createGoogleVendor({ apiKey, baseUrl, fetch }: VendorConnection): Vendor {
  const provider = createGoogleGenerativeAI({ apiKey, baseURL: baseUrl, fetch })
  return { model: (name) => provider(name), prepare: (prompt) => prompt }
}
