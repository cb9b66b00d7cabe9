import type { GuaranteeId, Records, RunRow } from '../../records/records.ts'

export type Mutation = [guarantee: GuaranteeId, description: string, mutate: (records: Records) => unknown]

export const requireItem = <T>(item: T | undefined): T => {
  if (item === undefined) throw new Error('the records lack the required item')
  return item
}
export const findRow = ({ store }: Records, id: string): RunRow => requireItem(store.runs.find((row) => row.id === id))
export const findOperation = ({ operations }: Records, runId: string, kind = 'send') =>
  requireItem(operations.find((operation) => operation.runId === runId && operation.kind === kind))
export const listFrames = ({ store }: Records, id: string) => store.frames.filter(({ runId }) => runId === id)
export const listReadings = ({ readings }: Records, id: string) => readings.filter(({ runId }) => runId === id)
export const listRequests = ({ externalRequests }: Records, id: string) =>
  externalRequests.filter(({ idempotencyKey }) => idempotencyKey.startsWith(`${id}:`))
export const findAnswer = (records: Records, id: string) => {
  const { chatId, assistantMessageId } = findRow(records, id)
  return requireItem(
    records.store.messages.find((message) => message.chatId === chatId && message.id === assistantMessageId),
  )
}
export const drop = <T>(items: T[], isDropped: (item: T) => boolean): void => {
  const remaining = items.filter((item) => !isDropped(item))
  if (remaining.length === items.length) throw new Error('nothing to drop')
  items.splice(0, items.length, ...remaining)
}

/** Rewrites the log of a run and its first reading, and removes its other readings. */
export const rewriteLog = (records: Records, id: string, rewrite: (bodies: string[]) => string[]): void => {
  const old = listFrames(records, id)
  const bodies = rewrite(old.map(({ body }) => body))
  drop(records.store.frames, ({ runId }) => runId === id)
  records.store.frames.push(...bodies.map((body, seq) => ({ runId: id, seq, body })))
  const [whole, ...others] = listReadings(records, id)
  for (const other of others) drop(records.readings, (reading) => reading === other)
  const at = requireItem(whole).frames.map((frame) => frame.at)
  requireItem(whole).frames = bodies.map((body, index) => ({
    index,
    body,
    at: at[index] ?? requireItem(whole).endedAt,
  }))
}

export const failWithoutCause = (records: Records, id: string): void => {
  Object.assign(findRow(records, id), { status: 'failed', endReason: 'error', error: 'Internal error' })
  requireItem(findAnswer(records, id).metadata)['endReason'] = 'error'
  rewriteLog(records, id, (bodies) => [
    ...bodies.slice(0, -1),
    JSON.stringify({ type: 'error', errorText: 'Internal error' }),
    JSON.stringify({ type: 'finish', finishReason: 'error', messageMetadata: { endReason: 'error' } }),
  ])
}

export const change = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`${from} is missing`)
  return text.replace(from, to)
}
