import type { Logger } from 'pino'
import type { Pool } from '../db/postgres/client.ts'
import type { CodeHostPort } from '../providers/code-host/index.ts'

/** Dependencies of every capability. A capability declares its own type only if it needs more. */
export type DbDeps = { db: Pool }

export type LogDeps = DbDeps & { log: Logger }

/** Dependencies of work on repositories. */
export type HostDeps = DbDeps & { codeHost: CodeHostPort }

/** Addresses of the API, and the secret from which the keys of runs are derived. */
export type Platform = {
  /** Public URL of the API. */
  baseUrl: string
  /** URL at which this process reaches the API. */
  apiUrl: string
  serverSecret: string
}

/** Dependencies of work that gives the URL of the API to providers or sandboxes. */
export type PlatformDeps = LogDeps & { platform: Platform }
