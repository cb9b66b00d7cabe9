import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type { Vendor, VendorConnection } from './vendor.ts'

/** Google's Gemini API, which caches prompts automatically. */
export function openGoogle({ apiKey, baseUrl, fetch }: VendorConnection): Vendor {
  const provider = createGoogleGenerativeAI({ apiKey, baseURL: baseUrl, fetch })
  return { model: (name) => provider(name), prepare: (prompt) => prompt }
}
