import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Notifier } from '../db/postgres/channels/notify.ts'
import type { Pool } from '../db/postgres/client.ts'
import type { Engine } from '../engine/client.ts'

/** Dependencies of routes that only read and write rows. A capability declares a type only for additional dependencies. */
export type DbDeps = { db: Pool }

/** Dependencies of routes that also check access. */
export type RouteDeps = DbDeps & { config: Config; log: Logger }

/** Dependencies of routes that start workflows. */
export type WorkDeps = RouteDeps & { engine: Engine }

/** Dependencies of routes that stop runs. */
export type StopDeps = WorkDeps & { notifier: Notifier }
