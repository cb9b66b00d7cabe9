import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../../../config.ts'
import type { Pool } from '../../../db/postgres/client.ts'
import type { RequestHeaders } from '../answers/headers.ts'
import type { Connections } from '../limits/connections.ts'
import type { Meters } from '../limits/meters.ts'
import type { Caller, Route } from '../route.ts'
import type { AuditedCall } from './exchange.ts'

/** Authentication, and the rules for credentials. */
type AccessPort = {
  /** Throws 401 when a credential header is repeated. */
  rejectRepeatedCredentials(request: IncomingMessage, auth: Route['auth']): void
  /** Resolves the credentials of a request from `address`, or throws 401. */
  authenticate(headers: RequestHeaders, auth: Route['auth'], address: string): Promise<Caller>
  /** Throws 403 for a key with an expiry. */
  rejectEphemeral(caller: Caller): void
}

/** Dependencies of the dispatcher other than the routes. `connectPorts` in app.ts supplies them. */
export type DispatchPorts = {
  config: Config
  db: Pool
  log: Logger
  /** Key of this process's advisory lock. Rows with this key belong to a live process. */
  processId: number
  /** False until every dependency of this process has responded once. */
  isReady: () => boolean
  /** Returns the number of live API processes, including this one. */
  countApis: () => number
  meters: Meters
  /** Undefined if the connections of this process have no limits. */
  connections?: Connections | undefined
  access: AccessPort
  /** Throws 403 for a cross-site request and 421 for an unknown host name. */
  guardEmbedded(request: IncomingMessage): void
  /** Closes the streamed response when the caller's credential ends. */
  watchAccess(response: ServerResponse, caller: Caller): void
  /** Records an audited call, after its response, with the response status. */
  recordCall(call: AuditedCall, status: number): void
}
