import type { LogFrame, RunEvidence } from '../records/evidence.ts'
import { foldCalls, listRetractions, withoutRetracted } from '../records/fold.ts'

/** A position in the logs of a session: the time of the run and the index in its log. */
type Position = { runId: string; chatId: string; runAt: number; index: number }

/** A successful command that wrote `token`. `seen`: the tokens in the files that it printed. */
export type Command = Position & {
  toolCallId: string
  step: number
  token: string
  startedAt: number
  endedAt: number
  seen: { workingTree: Set<string>; home: Set<string> } | undefined
}

/** A notification that the files of the sandbox were lost. */
export type Loss = Position & {
  epoch: number
  lostAt: number
  commit: string | undefined
  /** Time of the checkpoint from which the files were restored. */
  checkpointAt: number | undefined
}

/** A commit that was pushed at the end of a run. `createdAt`, `endedAt`: times of the run. */
type Push = Position & { commit: string | undefined; createdAt: number; endedAt: number }

/** The evidence of one session, in the order of its runs. */
export type Session = { id: string; runs: RunEvidence[]; commands: Command[]; losses: Loss[]; pushes: Push[] }

export const isEarlier = (left: Position, right: Position): boolean =>
  left.runAt < right.runAt || (left.runAt === right.runAt && left.index < right.index)

/** Whether a command or a push used the files that were lost, not those of the sandbox that replaced them. */
export const precedes = (use: Position & { startedAt: number }, loss: Loss, { losses }: Session): boolean => {
  const announcement = losses.find(({ chatId, epoch }) => chatId === use.chatId && epoch === loss.epoch)
  return announcement === undefined ? use.startedAt < loss.lostAt : isEarlier(use, announcement)
}

const readLog = ({ log }: RunEvidence): LogFrame[] => withoutRetracted(log, listRetractions(log))

const locate = ({ row }: RunEvidence, index: number): Position => ({
  runId: row.id,
  chatId: row.chatId,
  runAt: row.createdAt,
  index,
})

const readObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const readTime = (value: unknown): number | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : NaN
  return Number.isNaN(time) ? undefined : time
}

const shownPattern = /^working tree:\n(?<workingTree>[^]*?)home:\n(?<home>[^]*)$/

const toTokens = (text = ''): Set<string> => new Set(text.split('\n').filter(Boolean))

const parseShown = (stdout: unknown): Command['seen'] => {
  const sections = shownPattern.exec(String(stdout))?.groups
  if (sections === undefined) return undefined
  return { workingTree: toTokens(sections['workingTree']), home: toTokens(sections['home']) }
}

/** Lists the commands of a run that succeeded and wrote a token. */
export const listCommands = (run: RunEvidence): Command[] => {
  const log = readLog(run)
  return foldCalls(log).flatMap(({ id, input, output }) => {
    const token = /echo (\S+) >> effects\.txt/.exec(String(readObject(input)['command']))?.[1]
    const {
      step = 0,
      startedAt = null,
      endedAt = null,
    } = run.toolCalls.find(({ toolCallId }) => toolCallId === id) ?? {}
    const { success, stdout } = readObject(output)
    if (token === undefined || startedAt === null || endedAt === null || success !== true) return []
    const { index } = log.findLast(({ frame }) => frame.type === 'tool-output-available' && frame['toolCallId'] === id)!
    return [{ ...locate(run, index), toolCallId: id, step, token, startedAt, endedAt, seen: parseShown(stdout) }]
  })
}

export const listLosses = (run: RunEvidence): Loss[] =>
  readLog(run)
    .filter(({ frame }) => frame.type === 'data-sandbox-loss')
    .map(({ frame, index }) => {
      const { epoch, lostAt, commit, checkpoint } = readObject(frame['data'])
      return {
        ...locate(run, index),
        epoch: Number(epoch),
        lostAt: readTime(lostAt) ?? 0,
        commit: readText(commit),
        checkpointAt: readTime(readObject(checkpoint)['at']),
      }
    })

export const listPushes = (run: RunEvidence): Push[] =>
  readLog(run)
    .filter(({ frame }) => frame.type === 'data-commit')
    .flatMap(({ frame, index }) => {
      const { status, pushed, commitSha } = readObject(frame['data'])
      if (status !== 'success' || pushed !== true) return []
      const { createdAt } = run.row
      return [{ ...locate(run, index), commit: readText(commitSha), createdAt, endedAt: run.endedAt }]
    })
