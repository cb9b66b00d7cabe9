import { isMachineFault } from '../../check/records/evidence.ts'
import type { Reading, Records } from '../../records/records.ts'

const isFrame = (body: string, type: string): boolean => body.startsWith(`{"type":"${type}"`)

type LossFrame = { data: { lostAt: string } }

/** Returns the times at which the loss was recorded and the first output after its announcement was received. */
const findOutput = ({ frames }: Reading): { lostAt: number; at: number } | undefined => {
  const loss = frames.findIndex(({ body }) => isFrame(body, 'data-sandbox-loss'))
  if (loss === -1) return undefined
  const output = frames.slice(loss).find(({ body }) => isFrame(body, 'tool-output-available'))
  const { data } = JSON.parse(frames[loss]!.body) as LossFrame
  return output && { lostAt: Date.parse(data.lostAt), at: output.at }
}

/** Milliseconds to the output of the first command in a recreated sandbox. */
export type CommandResumption = { sinceFault: number; sinceLoss: number }

/** Returns the first output in a recreated sandbox of each turn that was in progress when its machine was lost. */
export const listCommandResumptions = ({ readings, store, faults }: Records): CommandResumption[] => {
  const times = new Map<string, CommandResumption>()
  for (const reading of readings) {
    const output = findOutput(reading)
    const run = store.runs.find(({ id }) => id === reading.runId)
    if (output === undefined || run === undefined || times.has(reading.runId)) continue
    const { at, lostAt } = output
    const fault = faults.findLast((one) => isMachineFault(one) && one.at >= run.createdAt && one.at < lostAt)
    if (fault !== undefined) times.set(reading.runId, { sinceFault: at - fault.at, sinceLoss: at - lostAt })
  }
  return [...times.values()]
}

/** Counts the sandboxes that were recreated, and the announcements in chats. */
export const countLosses = ({ sandboxes, store }: Records): { lost: number; announced: number } => ({
  lost: sandboxes.filter(({ epoch }) => epoch > 1).length,
  announced: store.frames.filter(({ body }) => isFrame(body, 'data-sandbox-loss')).length,
})
