import { isMachineFault } from '../../check/records/evidence.ts'
import type { Reading, Records } from '../../records/records.ts'

const isFrame = (body: string, type: string): boolean => body.startsWith(`{"type":"${type}"`)

type LossFrame = { data: { lostAt: string } }

/** Returns when a sandbox loss was recorded and when the client received the first tool output after its announcement. */
const findOutput = ({ frames }: Reading): { lostAt: number; at: number } | undefined => {
  const loss = frames.findIndex(({ body }) => isFrame(body, 'data-sandbox-loss'))
  if (loss === -1) return undefined
  const output = frames.slice(loss).find(({ body }) => isFrame(body, 'tool-output-available'))
  const { data } = JSON.parse(frames[loss]!.body) as LossFrame
  return output && { lostAt: Date.parse(data.lostAt), at: output.at }
}

/** Milliseconds to the output of the first command in a recreated sandbox. */
export type CommandResumption = { sinceFault: number; sinceLoss: number }

/** Returns the times of the first output in a recreated sandbox, for each turn that was running when its machine was lost. */
export const listCommandResumptions = ({ readings, store, faults }: Records): CommandResumption[] => {
  const times = new Map<string, CommandResumption>()
  for (const reading of readings) {
    const output = findOutput(reading)
    const run = store.runs.find(({ id }) => id === reading.runId)
    if (output === undefined || run === undefined || times.has(reading.runId)) continue
    const { at, lostAt } = output
    const fault = faults.findLast(
      (candidate) => isMachineFault(candidate) && candidate.at >= run.createdAt && candidate.at < lostAt,
    )
    if (fault !== undefined) times.set(reading.runId, { sinceFault: at - fault.at, sinceLoss: at - lostAt })
  }
  return [...times.values()]
}

/** Counts the sandboxes that were recreated, and the announcements of lost sandboxes in chats. */
export const countLosses = ({ sandboxes, store }: Records): { lost: number; announced: number } => ({
  lost: sandboxes.filter(({ epoch }) => epoch > 1).length,
  announced: store.frames.filter(({ body }) => isFrame(body, 'data-sandbox-loss')).length,
})
