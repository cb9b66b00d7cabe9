import type { Records } from '../../records/records.ts'

type DataFrame = { type: string; id: string; data: object }

/**
 * Inserts a data frame before a frame of a run, in the log and in the stored message, and removes the readings of the run.
 * `isNext`: selects that frame by its body. `partAt`: the position of the frame among the parts of the message.
 */
export const insertFrame = (
  records: Records,
  runId: string,
  frame: DataFrame,
  { isNext, partAt }: { isNext: (body: string) => boolean; partAt: (parts: Record<string, unknown>[]) => number },
): void => {
  const { store } = records
  const next = store.frames.findIndex((stored) => stored.runId === runId && isNext(stored.body))
  const seq = store.frames[next]!.seq
  for (const other of store.frames) if (other.runId === runId && other.seq >= seq) other.seq++
  store.frames.splice(next, 0, { runId, seq, body: JSON.stringify(frame) })
  records.readings = records.readings.filter((reading) => reading.runId !== runId)
  const message = store.messages.find(({ metadata }) => metadata?.['runId'] === runId)
  message?.parts.splice(partAt(message.parts), 0, { ...frame })
}
