import type { Records } from '../../records/records.ts'
import type { createRecordBuilder } from './builder.ts'
import { insertFrame } from './insert.ts'
import type { RunRecord } from './turns.ts'

/** Returns the output of a command that prints its files. */
export const printFiles = (workingTree: readonly string[], home: readonly string[]): string =>
  ['working tree:', ...workingTree, 'home:', ...home, ''].join('\n')

/** The tokens of the commands, by role. */
export const lossTokens = {
  pushed: 'file-1',
  unpushed: 'file-2',
  first: 'file-3',
  second: 'file-4',
  last: 'file-5',
  uncommitted: 'file-6',
  after: 'file-7',
}

const commit = 'c0ffee'

const afterCall = {
  isNext: (body: string): boolean => body.includes('"tool-output-available"'),
  partAt: (parts: Record<string, unknown>[]): number => parts.findIndex(({ type }) => type === 'tool-bash') + 1,
}
const atEnd = {
  isNext: (body: string): boolean => body.includes('"finish"'),
  partAt: (parts: Record<string, unknown>[]): number => parts.length,
}

type LossData = { epoch: number; lostAt: number; checkpoint?: object }

const announce = (records: Records, runId: string, data: LossData, place = afterCall): void => {
  const frameData = { ...data, lostAt: new Date(data.lostAt).toISOString(), commit, text: 'lost' }
  const frame = { type: 'data-sandbox-loss', id: `${runId}:sandbox-loss:${data.epoch}`, data: frameData }
  insertFrame(records, runId, frame, place)
}

const recordPush = (records: Records, runId: string): void => {
  const data = { status: 'success', committed: true, pushed: true, commitSha: commit }
  const frame = { type: 'data-commit', id: `${runId}:commit`, data }
  insertFrame(records, runId, frame, atEnd)
}

/**
 * Adds the turns of a session whose machine is lost three times. The pushed commit is restored after the first loss, and
 * a checkpoint of all files after the second loss. The third loss happens during the commit of a turn, which then has
 * nothing to push. The checkpoints before the first and the third loss fail. Another session has a loss after which only a new chat uses its sandbox.
 */
export const addLosses = (builder: ReturnType<typeof createRecordBuilder>): void => {
  const { records } = builder
  const [chatId, oldChatId, newChatId] = [builder.addChat(), builder.addChat(), builder.addChat()]
  const { pushed, unpushed, first, second, last, uncommitted, after } = lossTokens
  const execute = (
    token: string,
    workingTree: string[],
    home: string[],
    runChatId = chatId,
    sessionId = chatId,
  ): RunRecord => {
    const output = { success: true, exitCode: 0, stdout: printFiles(workingTree, home) }
    const run = builder.addTurn({
      chatId: runChatId,
      steps: [{ text: 'k l ', call: { token, output } }, { text: 'm n' }],
    })
    run.row.sessionId = sessionId
    return run
  }
  const lose = (): number => builder.addFault('machine', 'machine-1', () => {}).at
  recordPush(records, execute(pushed, [pushed], [pushed]).runId)
  builder.addFault('store', 'store', () => {})
  execute(unpushed, [pushed, unpushed], [pushed, unpushed])
  const firstLossAt = lose()
  const afterLoss = execute(first, [pushed, first], [first])
  announce(records, afterLoss.runId, { epoch: 2, lostAt: firstLossAt })
  const { endedAt } = execute(second, [pushed, first, second], [first, second])
  const lostAt = lose()
  const afterSecondLoss = execute(last, [pushed, first, second, last], [first, second, last])
  announce(records, afterSecondLoss.runId, {
    epoch: 3,
    lostAt,
    checkpoint: { at: new Date(endedAt).toISOString() },
  })
  const shown = [pushed, first, second, last, uncommitted]
  builder.addFault('store', 'store', () => {})
  const { runId } = execute(uncommitted, shown, shown.slice(1))
  const thirdLossAt = lose()
  announce(records, runId, { epoch: 4, lostAt: thirdLossAt }, atEnd)
  recordPush(records, runId)
  execute(after, [pushed, after], [after])
  execute('old-1', ['old-1'], ['old-1'], oldChatId, oldChatId)
  const hiddenLossAt = lose()
  execute('new-1', ['new-1'], ['new-1'], newChatId, oldChatId)
  const lostTokens = [unpushed, first, second, last, uncommitted, 'old-1']
  for (const effect of records.effects) if (lostTokens.includes(effect.token)) effect.count = 0
  records.sandboxes.push(
    { sessionId: chatId, epoch: 4, lostAt: thirdLossAt, hasFiles: true },
    { sessionId: oldChatId, epoch: 2, lostAt: hiddenLossAt, hasFiles: true },
  )
}
