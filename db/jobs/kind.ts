import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'

type PaidJob = {
  /** One of `paidJobs`. Must never change, because rows and workflow types contain it. */
  readonly name: string
  /** Whether the owner can cancel the job. */
  readonly cancellable: boolean
  /** Table of the job's objects. `run_id` is the id of their background run. */
  readonly table: string
  /** Condition on a row of the table: the object has not ended. Equal to the predicate of a partial index. */
  readonly isLive: (db: Db) => ReturnType<Db>
  /** Returns the reference of an object's hold and charge. */
  readonly reference: (key: string) => string
  /** True: debited on acceptance and refunded on failure. Default: a hold that is settled when the job ends. */
  readonly isPrepaid?: boolean
  /**
   * Ends the live object of a background run with its open parts, and settles, releases or refunds its credits. Does
   * nothing for an ended object.
   */
  readonly end: (tx: Tx, runId: string, isCancelled: boolean) => Promise<unknown>
}

/** A job that waits for a provider run. `part` identifies the provider run if the job has several. */
export type WaitingJob = { runId: string; part?: number | string }

/** A job with runs at the scraper, which must be aborted before the object ends. */
export type ScraperJob = PaidJob & {
  readonly vendor: 'scraper'
  /** Type of the workflow that aborts these runs and ends the object when the job's own workflow is lost. */
  readonly endWorkflow: string
  /** Returns the live job that waits for the provider run with this key. */
  readonly findWaiting: (db: Db, key: string) => Promise<WaitingJob | undefined>
}

/** A job with one render at the renderer, whose request is stored in the row of the object. */
export type RenderJob = PaidJob & {
  readonly vendor: 'renderer'
  readonly columns: {
    readonly state: string
    readonly error: string
    /** Key of the object, and idempotency key of its render. */
    readonly key: string
  }
  /** Condition on a row of the table: its render is in progress. */
  readonly isRendering: (db: Db) => ReturnType<Db>
  /** Name of the error of a background run that failed, such as `MusicFailed`. */
  readonly faultName: string
  /** State of an object whose render the renderer has accepted. */
  readonly rendering: string
}

/** A kind of paid background work. `list.ts` lists all kinds. */
export type JobKind = ScraperJob | RenderJob

type LeftBehind = { id: string; isCancelled: boolean }

/** Returns live objects whose background run has ended: the run never had a workflow, or its workflow was lost. */
export function listLeftBehind(db: Db, { table, isLive }: JobKind, page: IdPage): Promise<LeftBehind[]> {
  return db<LeftBehind[]>`
    select run.id, run.status = 'CANCELED' as is_cancelled
    from (select run_id from ${db(table)} where ${isLive(db)}) as item join background_runs run on run.id = item.run_id
    where run.finished_at is not null and ${pageClause(db, page, 'run.id')}`
}
