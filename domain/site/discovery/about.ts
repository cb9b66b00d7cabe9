import type { Entry } from '../content/entry.ts'

/** Data of the discovery documents. It does not change while the process runs. */
export type About = {
  entries: readonly Entry[]
  serviceName: string
  /** Origin of pages, tools and documents. */
  siteUrl: string
  /** Origin of the platform API. */
  baseUrl: string
  /** Contact email address of the operator. */
  contact: string
}

export const toolsVersion = '1.0.0'
export const specificationPath = '/agent-api/v1/openapi.json'
export const mcpPath = '/mcp'

/** Protocol revisions that the MCP endpoint supports, newest first. */
export const mcpRevisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const

/** Description of the tools in every document. */
export const access =
  'The tools are anonymous and read-only: they need no account, change nothing and keep nothing. They are not the platform API, which needs a key.'

export function parseHost(siteUrl: string): string {
  return new URL(siteUrl).hostname
}
