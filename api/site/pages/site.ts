import type { Entry } from '../../../domain/site/content/entry.ts'
import type { Figures } from '../../../domain/site/figures.ts'
import type { PublicContent } from '../../../domain/site/public-content.ts'

/** Content and settings of the pages, fixed at process start. */
export type SiteData = {
  entries: readonly Entry[]
  content: PublicContent
  serviceName: string
  /** Origin of the pages. */
  siteUrl: string
  /** Origin of the API, which serves `/reference`. */
  baseUrl: string
  /** Contact address of the service. */
  contact: string
  /** Undefined if this process serves no console. */
  consoleUrl?: string
  /** Version of the program, as in `package.json`. */
  version: string
  figures: Figures
}

export type Site = SiteData & {
  /** Paths of all pages of this site. */
  paths: ReadonlySet<string>
}

/** Paths of pages that have no entry. */
export const indexPaths = ['/blog', '/playbooks', '/search'] as const

export function toPathname({ header }: Entry): string {
  return new URL(header.url).pathname
}

export function findEntry({ entries }: Site, id: string): Entry | undefined {
  return entries.find(({ header }) => header.id === id)
}
