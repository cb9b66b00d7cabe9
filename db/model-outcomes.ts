import type { ModelCallOutcome } from '../domain/models.ts'
import type { Db } from './postgres/client.ts'

type Row = ModelCallOutcome & { modelId: string }

const retentionDays = 30

/** Stores the outcome of a model's latest call and deletes outdated outcomes of other models. */
export async function recordModelOutcome(db: Db, { modelId, outcome }: Omit<Row, 'calledAt'>): Promise<void> {
  await db`
    with old as (
      delete from model_outcomes where called_at < now() - make_interval(days => ${retentionDays}) and model_id <> ${modelId}
    )
    insert into model_outcomes (model_id, outcome) values (${modelId}, ${outcome})
    on conflict (model_id) do update set outcome = excluded.outcome, called_at = now()`
}

export function listModelOutcomes(db: Db, modelIds: string[]): Promise<Row[]> {
  return db<Row[]>`
    select model_id, outcome, called_at from model_outcomes where model_id = any(${modelIds}::text[])`
}
