import { isMachineFault } from '../../check/records/evidence.ts'
import type { Reading, Records } from '../../records/records.ts'
import { formatRecoveries } from '../summary.ts'

const isFrame = (body: string, type: string): boolean => body.startsWith(`{"type":"${type}"`)

type LossFrame = { data: { lostAt: string } }
type CallFrame = { toolCallId: string }

type Output = { lostAt: number; announcedAt: number; requestedAt: number; outputAt: number }

/** Returns the times of the first tool call whose output the client received after the announcement of a sandbox loss. */
const findOutput = ({ frames }: Reading): Output | undefined => {
  const loss = frames.findIndex(({ body }) => isFrame(body, 'data-sandbox-loss'))
  if (loss === -1) return undefined
  const output = frames.slice(loss).find(({ body }) => isFrame(body, 'tool-output-available'))
  if (output === undefined) return undefined
  const { toolCallId } = JSON.parse(output.body) as CallFrame
  const request = frames.find(
    ({ body }) => isFrame(body, 'tool-input-available') && (JSON.parse(body) as CallFrame).toolCallId === toolCallId,
  )
  const { data } = JSON.parse(frames[loss]!.body) as LossFrame
  const lostAt = Date.parse(data.lostAt)
  return { lostAt, announcedAt: frames[loss]!.at, requestedAt: request?.at ?? 0, outputAt: output.at }
}

/** Milliseconds of the phases from the fault, or from a later call, to the output of this call in a recreated sandbox. */
export type CommandResumption = Record<'total' | 'detection' | 'restore' | 'command', number>

/** Returns the phases of the first call in a recreated sandbox, for each turn that was running when its machine was lost. */
export const listCommandResumptions = ({ readings, store, faults }: Records): CommandResumption[] => {
  const resumptions = new Map<string, CommandResumption>()
  for (const reading of readings) {
    const output = findOutput(reading)
    const run = store.runs.find(({ id }) => id === reading.runId)
    if (output === undefined || run === undefined || resumptions.has(reading.runId)) continue
    const { lostAt, announcedAt, requestedAt, outputAt } = output
    const fault = faults.findLast(
      (candidate) => isMachineFault(candidate) && candidate.at >= run.createdAt && candidate.at < lostAt,
    )
    const from = Math.max(fault?.at ?? Infinity, requestedAt)
    // An earlier command has already recreated the sandbox.
    if (from > lostAt) continue
    resumptions.set(reading.runId, {
      total: outputAt - from,
      detection: lostAt - from,
      restore: announcedAt - lostAt,
      command: outputAt - announcedAt,
    })
  }
  return [...resumptions.values()]
}

const phases: [keyof CommandResumption, string][] = [
  ['total', 'in total'],
  ['detection', 'until the loss was recorded'],
  ['restore', 'then until the restored sandbox was announced'],
  ['command', 'then until the output'],
]

/** Formats the percentiles of each phase. */
export const formatResumptions = (resumptions: CommandResumption[]): string =>
  [
    'Time from the loss of a machine, or from a later call, to the output of the first call in the recreated sandbox',
    ...phases.map(([phase, name]) =>
      formatRecoveries(
        `  ${name}`,
        resumptions.map((times) => times[phase]),
        'turns',
      ),
    ),
  ].join('\n')

/** Counts the sandboxes that were recreated, and the announcements of lost sandboxes in chats. */
export const countLosses = ({ sandboxes, store }: Records): { lost: number; announced: number } => ({
  lost: sandboxes.filter(({ epoch }) => epoch > 1).length,
  announced: store.frames.filter(({ body }) => isFrame(body, 'data-sandbox-loss')).length,
})
