import { z } from 'zod'

const Cell = z.strictObject({
  /** Median of the rounds; absent for a text cell or a missing measurement. */
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

/** Results of `npm run bench:peers`: the same chat turn, built with each product and measured on the same machine. */
export const PeerFigures = z.strictObject({
  measuredOn: z.string(),
  rounds: z.int(),
  /** The first product is Backline. */
  peers: z.array(z.strictObject({ name: z.string(), versions: z.string(), setup: z.string() })),
  rows: z.array(Row),
})
export type PeerFigures = z.output<typeof PeerFigures>

const ms = z.int().min(0)

/** Recording of `npm run bench:recording`: a response whose worker was killed, as a client received it. */
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
