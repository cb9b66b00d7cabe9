import type { Refusal } from '../../domain/chat/prompt/refused.ts'
import type { Db } from '../postgres/client.ts'

/** Records content of a chat that the model provider rejected. Replaces an earlier rejection of the same kind. */
export async function insertRefusal(
  db: Db,
  { chatId, modelId, kind, throughId }: Refusal & { chatId: string; modelId: string },
): Promise<void> {
  await db`
    insert into chat_refusals (chat_id, model_id, kind, through_id)
    select id, ${modelId}, ${kind}, ${throughId} from chats where id = ${chatId}
    on conflict (chat_id, model_id, kind) do update set through_id = excluded.through_id, created_at = now()`
}

/** SQL expression for the content of a run's chat that the provider of the run's model rejected. */
export function refusalsOfRun(db: Db) {
  return db`(
    select json_agg(json_build_object('kind', kind, 'throughId', through_id) order by created_at)
    from chat_refusals where chat_id = run.chat_id and model_id = run.model_id
  )`
}
