import type { IndexedFrame } from '../../../domain/log/fold.ts'
import type { Frame } from '../../../domain/log/frames.ts'
import type { Tx } from '../../postgres/client.ts'
import { readFrames, type StreamHead } from '../../log/stream.ts'

export function serializeFrames(frames: Frame[]): string[] {
  return frames.map((frame) => JSON.stringify(frame))
}

/** Returns the frames of the open step. Before the first step, returns all frames of the log. */
export async function readStepFrames(tx: Tx, head: StreamHead): Promise<IndexedFrame[]> {
  return (await readFrames(tx, { runId: head.runId, day: head.day, from: head.stepSeq })).map(({ seq, body }) => ({
    index: seq,
    frame: JSON.parse(body) as Frame,
  }))
}
