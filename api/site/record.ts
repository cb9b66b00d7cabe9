import type { FaultCode } from '../../domain/site/faults.ts'
import type { ToolName } from '../../domain/site/tools/index.ts'

/** What log and metrics know of a request to the public site: nothing that its sender wrote. */
export type SiteRecord = {
  /** Path of the route; of pages and files what they are. */
  route: string
  tool?: ToolName
  code?: FaultCode
  /** Results of a search, on this page of it. */
  results?: number
}

export function recordResult(record: SiteRecord | undefined, body: object): void {
  if (record !== undefined && 'results' in body && Array.isArray(body.results)) record.results = body.results.length
}
