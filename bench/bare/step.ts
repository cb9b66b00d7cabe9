import postgres from 'postgres'
import { request } from 'undici'
import { clockMicroseconds, planText } from '../stack/plan.ts'

const messages = [{ role: 'user', content: planText({ tokens: 1, perSecond: 0, steps: 2, tool: 'none' }) }]
const frame = '{"type":"text-delta","id":"x","delta":"y"}'

/**
 * What no durable step can do without, and nothing else: the state is read, the step is opened, the model is called, and
 * one statement writes its end. Plain rows, no frames, no message to be made, nobody who is told. Answers when the
 * model's answer was there.
 */
export async function createBareStep(databaseUrl: string, modelUrl: string): Promise<(run: string) => Promise<number>> {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  await sql`create table if not exists bare_heads (run text primary key, next int not null, chat text)`
  await sql`create table if not exists bare_rows (run text, seq int, kind text, body text, primary key (run, seq, kind))`
  return async (run) => {
    await sql`select * from bare_heads left join bare_rows using (run) where run = ${run} order by seq desc limit 10`
    await append(sql, run)
    const { body } = await request(`${modelUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ stream: true, messages }),
    })
    await body.text()
    const answered = clockMicroseconds()
    await end(sql, run)
    return answered
  }
}

function append(sql: postgres.Sql, run: string) {
  return sql`
  with head as (
    insert into bare_heads (run, next) values (${run}, 1) on conflict (run) do update set next = bare_heads.next + 1
    returning run, next
  )
  insert into bare_rows (run, seq, kind, body) select run, next, 'frame', ${frame} from head`
}

/** Its last frame, its part of the message, its usage, its call and its chat: all or nothing. */
function end(sql: postgres.Sql, run: string) {
  return sql`
  with head as (
    update bare_heads set next = next + 1, chat = ${run} where run = ${run} returning run, next
  )
  insert into bare_rows (run, seq, kind, body)
  select run, next, kind, ${frame} from head, unnest(array['frame', 'part', 'step', 'call']) as kind`
}
