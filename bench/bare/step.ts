import type postgres from 'postgres'
import { request } from 'undici'
import { clockMicroseconds, encodePlan } from '../stack/plan.ts'
import { openDatabase } from './open-database.ts'

const messages = [{ role: 'user', content: encodePlan({ tokens: 1, perSecond: 0, steps: 2, tool: 'none' }) }]
const frame = '{"type":"text-delta","id":"x","delta":"y"}'
const part = '{"type":"tool-todo","toolCallId":"call_1","state":"input-available","input":{"todos":[]}}'
const usage = '{"inputTokens":10,"outputTokens":10,"totalTokens":20}'

const tables = [
  'stream_head',
  'stream_chunk',
  'chats',
  'chat_messages',
  'chat_message_parts',
  'run_steps',
  'run_tool_calls',
]

/**
 * Creates the minimal durable step: it reads the state, opens the step, calls the model, and ends the step in one
 * statement. It writes as many rows as a step of Backline, in tables with the same columns and indexes, but without
 * foreign keys, without building a message from frames, and without notifications. Returns the time at which the model
 * responded.
 */
export async function createBareStep(databaseUrl: string, modelUrl: string): Promise<(run: string) => Promise<number>> {
  const sql = openDatabase(databaseUrl, { max: 2 })
  for (const table of tables) await sql.unsafe(`create table if not exists bare_${table} (like ${table} including all)`)
  await sql`insert into bare_chats select * from chats where not exists (select from bare_chats) limit 1`
  return async (run) => {
    await sql`
      select * from bare_stream_head left join bare_run_steps using (run_id) where run_id = ${run}
      order by step desc limit 10`
    await openStep(sql, run)
    const { body } = await request(`${modelUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ stream: true, messages }),
    })
    await body.text()
    const respondedAt = clockMicroseconds()
    await endStep(sql, run)
    return respondedAt
  }
}

function openStep(sql: postgres.Sql, run: string) {
  return sql`
  with head as (
    insert into bare_stream_head (run_id, day, next_seq) values (${run}, current_date, 1)
    on conflict (run_id) do update set next_seq = bare_stream_head.next_seq + 1
    returning run_id, next_seq, day
  )
  insert into bare_stream_chunk (run_id, seq, day, body) select run_id, next_seq - 1, day, ${frame} from head`
}

/** Writes the last frames, the parts of the message, the usage, the call and the chat in one statement. */
function endStep(sql: postgres.Sql, run: string) {
  return sql`
  with head as (
    update bare_stream_head set next_seq = next_seq + 4, folded_seq = next_seq + 4 where run_id = ${run}
    returning run_id, next_seq, day
  ), chat as (
    update bare_chats set updated_at = now(), last_assistant_message_at = now() returning id
  ), message as (
    insert into bare_chat_messages (chat_id, id, role, metadata)
    select id, ${run}, 'assistant', ${usage}::text::json from chat
    on conflict (chat_id, id) do update set metadata = excluded.metadata
  ), parts as (
    insert into bare_chat_message_parts (chat_id, message_id, position, tool_call_id, part)
    select id, run_id, next_seq + place, 'call_' || next_seq, ${part}::text::json
    from chat, head, generate_series(0, 1) as place
  ), step as (
    insert into bare_run_steps (run_id, step, attempt, finish_reason, model_id, usage, goes_on)
    select run_id, next_seq, 1, 'tool-calls', 'custom/default', ${usage}::text::json, true from head
  ), call as (
    insert into bare_run_tool_calls (run_id, tool_call_id, step, tool_name, input)
    select run_id, 'call_' || next_seq, next_seq, 'none', '{}' from head
  )
  insert into bare_stream_chunk (run_id, seq, day, body)
  select run_id, next_seq - place, day, ${frame} from head, generate_series(1, 4) as place`
}
