import type { Entry } from '../../../domain/site/content/entry.ts'
import type { PublicContent } from '../../../domain/site/public-content.ts'

/** What the pages show. Fixed at process start. */
export type Site = {
  entries: readonly Entry[]
  content: PublicContent
  serviceName: string
  /** Origin of the pages. */
  siteUrl: string
  /** Where the reference of the platform API is. */
  baseUrl: string
  /** Mail address of the people behind the service. */
  contact: string
}

export function pathOf({ header }: Entry): string {
  return new URL(header.url).pathname
}
