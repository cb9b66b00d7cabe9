import type { Entry } from '../../../domain/site/content/entry.ts'
import type { PublicContent } from '../../../domain/site/public-content.ts'

/** Data of the pages, fixed at process start. */
export type Site = {
  entries: readonly Entry[]
  content: PublicContent
  serviceName: string
  /** Origin of the pages. */
  siteUrl: string
  /** URL of the platform API's reference. */
  baseUrl: string
  /** Contact address of the service. */
  contact: string
}

export function toPathname({ header }: Entry): string {
  return new URL(header.url).pathname
}
