import type { Db, Tx } from '../postgres/client.ts'

/** State of a run's log, for its writers. */
export type StreamHead = {
  runId: string
  day: string
  nextSeq: number
  foldedSeq: number
  fence: number
  state: 'open' | 'stopping' | 'done'
  openStep: number | null
  stepSeq: number
  stepPosition: number
  stepInputTokens: number
  /** Number of the batch that owns the turn. */
  batch: number
  abandonedReason: string | null
  abandonedDetail: string | null
  stepOpenedAt: Date | null
  abandonedAt: Date | null
}

export type StoredFrame = { seq: number; body: string }

const pageSize = 500

/** Locks the row of the log, so that other writers cannot append, stop or finish until the transaction ends. */
export async function lockStream(tx: Tx, runId: string): Promise<StreamHead | undefined> {
  const [head] = await tx<StreamHead[]>`
    select run_id, day::text as day, next_seq, folded_seq, fence, state, open_step, step_seq, step_position,
      step_input_tokens, batch, abandoned_reason, abandoned_detail, step_opened_at, abandoned_at
    from stream_head where run_id = ${runId} for update`
  return head
}

/** Appends frames under the row lock and advances `head` immediately. */
export async function appendLocked(tx: Tx, head: StreamHead, bodies: string[]): Promise<void> {
  if (bodies.length === 0) return
  const first = head.nextSeq
  head.nextSeq += bodies.length
  await tx`
    insert into stream_chunk (run_id, seq, day, body)
    select ${head.runId}, ${first}::int + c.place - 1, ${head.day}::date, c.body
    from unnest(${bodies}::text[]) with ordinality as c (body, place)`
}

/** Stores the changes of a writer that holds the lock. A closed log has no holder. */
export async function saveHead(tx: Tx, head: StreamHead): Promise<void> {
  await tx`
    update stream_head set next_seq = ${head.nextSeq}, folded_seq = ${head.foldedSeq}, fence = ${head.fence},
      state = ${head.state}, open_step = ${head.openStep}, step_seq = ${head.stepSeq},
      step_position = ${head.stepPosition}, step_input_tokens = ${head.stepInputTokens},
      holder = case when ${head.state} = 'open' then holder end
    where run_id = ${head.runId}`
}

/** Closes an open log to every writer except the finalizer. */
export async function stopStream(tx: Tx, runId: string): Promise<void> {
  await tx`update stream_head set state = 'stopping' where run_id = ${runId} and state = 'open'`
}

/** Approximate maximum bytes of one page. A page contains at least one frame, whatever its size. */
const maxPageBytes = 128 * 1024

/** Returns one page for a reader. `more`: more frames may follow. */
export async function listPage(
  db: Db,
  { runId, day, from }: { runId: string; day: string; from: number },
): Promise<{ frames: StoredFrame[]; more: boolean }> {
  const frames = await db<StoredFrame[]>`
    select seq, body from (
      select seq, body, sum(octet_length(body)) over (order by seq rows unbounded preceding) as bytes
      from (
        select seq, body from stream_chunk
        where run_id = ${runId} and day = ${day}::date and seq >= ${from}
        order by seq limit ${pageSize}
      ) as page
    ) as counted
    where bytes - octet_length(body) < ${maxPageBytes}
    order by seq`
  const bytes = frames.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
  return { frames, more: frames.length === pageSize || bytes >= maxPageBytes }
}

/** Text before the index of a frame, between index and body, and after the body. */
export type FrameMarks = { before: string; between: string; after: string }
export type FrameText = { text: Buffer; frames: number; next: number }

/** Maximum bytes of one text. Together with data in flight to a reader, this stays below 256 kB. */
export const maxTextBytes = 96 * 1024
const smallFrameBytes = 1024

/**
 * Returns a page of frames as one text, because parsing rows and joining them would dominate the cost of reading a long
 * log. Undefined when a frame exceeds `smallFrameBytes`, when the frames exceed `maxTextBytes`, or without frames.
 */
export async function findFrameText(
  db: Db,
  { runId, day, from, limit }: { runId: string; day: string; from: number; limit: number },
  { before, between, after }: FrameMarks,
): Promise<FrameText | undefined> {
  const [[text, frames, last] = []] = await db`
    select case when small = frames and octet_length(text) <= ${maxTextBytes} then text end, frames, last
    from (
      select string_agg(${before}::text || seq || ${between}::text || body || ${after}::text, '')
          filter (where octet_length(body) <= ${smallFrameBytes}) as text,
        count(*) filter (where octet_length(body) <= ${smallFrameBytes}) as small, count(*) as frames, max(seq) as last
      from (
        select seq, body from stream_chunk
        where run_id = ${runId} and day = ${day}::date and seq >= ${from}
        order by seq limit ${limit}
      ) as page
    ) as joined`.raw()
  return text ? { text, frames: Number(frames), next: Number(last) + 1 } : undefined
}

export type LogPosition = { runId: string; day: string; from: number }

const tailFrames = 100
const tailBytes = 4096

/**
 * Reads many logs with one query. Returns the frames of each log from its position up to the first large frame. `big`: a
 * large frame follows, which must be read separately. The arrays come from subqueries, which hide their length from the
 * planner. Otherwise Postgres would estimate a custom plan for each length as cheaper than the generic plan, and plan every
 * query again.
 */
export async function listTails(
  db: Db,
  positions: LogPosition[],
): Promise<{ frames: StoredFrame[]; big: boolean; more: boolean }[]> {
  const tails = positions.map(() => ({ frames: [] as StoredFrame[], big: false, more: false }))
  const rows = await db<{ place: number; seq: number; body: string | null }[]>`
    select log.place, tail.seq, tail.body
    from unnest(
      (select ${positions.map((_, index) => index)}::int[]), (select ${positions.map(({ runId }) => runId)}::text[]),
      (select ${positions.map(({ day }) => day)}::date[]), (select ${positions.map(({ from }) => from)}::int[])
    ) as log (place, run_id, day, first)
    cross join lateral (
      select seq, case when octet_length(body) <= ${tailBytes} then body end as body from stream_chunk
      where run_id = log.run_id and day = log.day and seq >= log.first
      order by seq limit ${tailFrames}
    ) as tail
    order by log.place, tail.seq`
  for (const { place, seq, body } of rows) {
    const tail = tails[place]
    if (tail === undefined || tail.big) continue
    if (body === null) tail.big = true
    else tail.more = tail.frames.push({ seq, body }) === tailFrames
  }
  return tails
}

/** Returns all frames from an index on. */
export async function readFrames(
  db: Db,
  { runId, day, from }: { runId: string; day: string; from: number },
): Promise<StoredFrame[]> {
  const frames: StoredFrame[] = []
  for (;;) {
    const page = await listFrames(db, { runId, day, from: from + frames.length })
    frames.push(...page)
    if (page.length < pageSize) return frames
  }
}

/** Returns the position of a log, for readers. */
export async function findStream(
  db: Db,
  runId: string,
): Promise<{ day: string; nextSeq: number; state: string } | undefined> {
  const [row] = await db<{ day: string; nextSeq: number; state: string }[]>`
    select day::text as day, next_seq, state from stream_head where run_id = ${runId}`
  return row
}

/** Returns the positions of many logs with one query. Readers poll them, because notifications may be lost. */
export function listStreamPositions(db: Db, runIds: string[]): Promise<{ runId: string; nextSeq: number }[]> {
  return db<{ runId: string; nextSeq: number }[]>`
    select run_id, next_seq from stream_head where run_id = any(${runIds}::text[])`
}

export type GroupEntry = { runId: string; fence: number; expected: number; bodies: string[] }

/**
 * Appends the frames of many writers in one statement. Returns for each writer whether its frames were written. A writer is
 * skipped when its fence, next index or state differs, or while another transaction holds the log's row lock. At most one
 * of two writers of the same run, such as a replaced attempt and its successor, is written. A lateral join finds each row
 * by its key, because a plain join with a low row estimate would compare every log with every writer.
 */
export async function appendGroup(db: Db, entries: GroupEntry[]): Promise<boolean[]> {
  const owners: number[] = []
  const places: number[] = []
  const bodies: string[] = []
  for (const [entry, { bodies: frameBodies }] of entries.entries())
    for (const [index, body] of frameBodies.entries()) {
      owners.push(entry)
      places.push(index)
      bodies.push(body)
    }
  // `execute` sends the statement immediately, so that the caller's next statements follow it on this connection.
  const statement = db<{ entry: number }[]>`
    with input as (
      select * from unnest(
        ${entries.map((_, entry) => entry)}::int[], ${entries.map((entry) => entry.runId)}::text[],
        ${entries.map((entry) => entry.fence)}::bigint[], ${entries.map((entry) => entry.expected)}::int[],
        ${entries.map((entry) => entry.bodies.length)}::int[]
      ) as t (entry, run_id, fence, expected, frames)
    ), locked as (
      select i.entry, h.run_id, i.expected, i.frames
      from input i cross join lateral (
        select run_id from stream_head
        where run_id = i.run_id and fence = i.fence and next_seq = i.expected and state = 'open'
        for no key update skip locked
      ) as h
    ), moved as (
      update stream_head h set next_seq = h.next_seq + l.frames from locked l
      where h.run_id = l.run_id
      returning l.entry, h.run_id, h.day, l.expected
    ), written as (
      insert into stream_chunk (run_id, seq, day, body)
      select m.run_id, m.expected + c.place, m.day, c.body
      from moved m
      join unnest(${owners}::int[], ${places}::int[], ${bodies}::text[]) as c (entry, place, body)
        on c.entry = m.entry
    )
    select entry from moved`.execute()
  const written = new Set((await statement).map((row) => row.entry))
  return entries.map((_, entry) => written.has(entry))
}

/** Returns the fence, the next index and the state of the logs. */
export function listFences(
  db: Db,
  runIds: string[],
): Promise<{ runId: string; fence: number; nextSeq: number; state: string }[]> {
  return db<{ runId: string; fence: number; nextSeq: number; state: string }[]>`
    select run_id, fence, next_seq, state from stream_head where run_id = any(${runIds}::text[])`
}

/** Deletes the frames of up to 1000 runs that ended at least an hour ago and whose chat was deleted. */
export async function deleteFramesOfDeletedChats(db: Db): Promise<void> {
  await db`
    delete from stream_chunk where run_id in (
      select runs.id from runs
      where ended_at < now() - interval '1 hour' and not exists (select from chats where chats.id = runs.chat_id)
        and exists (select from stream_chunk chunk where chunk.run_id = runs.id)
      limit 1000)`
}

/** Returns one page of frames from an index on, in index order. */
function listFrames(
  db: Db,
  { runId, day, from, limit = pageSize }: { runId: string; day: string; from: number; limit?: number },
): Promise<StoredFrame[]> {
  return db<StoredFrame[]>`
    select seq, body from stream_chunk
    where run_id = ${runId} and day = ${day}::date and seq >= ${from}
    order by seq limit ${limit}`
}
