import type { Records } from '../../records/records.ts'
import type { createRecordBuilder } from './builder.ts'
import { insertFrame } from './insert.ts'
import type { RunRecord } from './turns.ts'

/** The output of a command that prints its files. */
export const printFiles = (workTree: readonly string[], home: readonly string[]): string =>
  ['work tree:', ...workTree, 'home:', ...home, ''].join('\n')

/** The tokens of the commands, the commit and the ids of the runs, by role. */
export const lossTokens = { pushed: 'file-1', unpushed: 'file-2', first: 'file-3', second: 'file-4', last: 'file-5' }

const commit = 'c0ffee'

const isOutput = (body: string): boolean => body.includes('"tool-output-available"')

const announce = (
  records: Records,
  runId: string,
  data: { epoch: number; lostAt: number; checkpoint?: object },
): void =>
  insertFrame(
    records,
    runId,
    {
      type: 'data-sandbox-loss',
      id: `${runId}:sandbox-loss:${data.epoch}`,
      data: { ...data, lostAt: new Date(data.lostAt).toISOString(), commit, text: 'lost' },
    },
    { isNext: isOutput, partAt: (parts) => parts.findIndex(({ type }) => type === 'tool-bash') + 1 },
  )

const recordPush = (records: Records, runId: string): void => {
  const data = { status: 'success', committed: true, pushed: true, commitSha: commit }
  const frame = { type: 'data-commit', id: `${runId}:commit`, data }
  insertFrame(records, runId, frame, {
    isNext: (body) => body.includes('"finish"'),
    partAt: (parts) => parts.length,
  })
}

/**
 * Adds the turns of a session whose machine is lost twice. The first loss restores the pushed commit, the second one a
 * checkpoint of all files.
 */
export const addLosses = (builder: ReturnType<typeof createRecordBuilder>): void => {
  const { records } = builder
  const chatId = builder.chat()
  const { pushed, unpushed, first, second, last } = lossTokens
  const execute = (token: string, workTree: string[], home: string[]): RunRecord => {
    const output = { success: true, exitCode: 0, stdout: printFiles(workTree, home) }
    const run = builder.turn({ chatId, steps: [{ text: 'k l ', call: { token, output } }, { text: 'm n' }] })
    run.row.sessionId = chatId
    return run
  }
  const lose = (): number => builder.fault('machine', 'machine-1', () => {}).at
  recordPush(records, execute(pushed, [pushed], [pushed]).runId)
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
  records.effects.find(({ token }) => token === unpushed)!.count = 0
  records.sandboxes.push({ sessionId: chatId, epoch: 3, lostAt, hasFiles: true })
}
