import { z } from 'zod'

const Cell = z.strictObject({
  /** Median of the rounds; absent for words, and where there was no figure. */
  value: z.number().optional(),
  text: z.string(),
})

const Row = z.strictObject({
  name: z.string(),
  title: z.string(),
  how: z.string(),
  better: z.enum(['less', 'more']).optional(),
  /** In the order of `peers`. */
  cells: z.array(Cell),
})

/** The same chat turn, built with each product, on the same machine: what `npm run bench:peers` measured. */
export const PeerFigures = z.strictObject({
  measuredOn: z.string(),
  rounds: z.int(),
  /** Ours is the first. */
  peers: z.array(z.strictObject({ name: z.string(), versions: z.string(), setup: z.string() })),
  rows: z.array(Row),
})
export type PeerFigures = z.output<typeof PeerFigures>

const ms = z.int().min(0)

/** An answer whose worker was killed, as a client received it: what `npm run bench:recording` recorded. */
export const Recording = z.strictObject({
  recordedOn: z.string(),
  question: z.string(),
  /** Milliseconds from the request. */
  killedMs: ms,
  endedMs: ms,
  /** `attempt` is 2 after the retraction of the killed worker's words. */
  words: z.array(z.strictObject({ text: z.string(), atMs: ms, attempt: z.union([z.literal(1), z.literal(2)]) })),
})
export type Recording = z.output<typeof Recording>

/** Measurements that the home page shows. */
export type Figures = { peers: PeerFigures; recording: Recording }
