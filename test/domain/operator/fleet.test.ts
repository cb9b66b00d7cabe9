import { expect, test } from 'vitest'
import { chooseWorker, divideLimit } from '../../../domain/operator/fleet.ts'

const worker = (processId: number, more: { machineId?: string; freeHeadStarts?: number } = {}) => ({
  processId,
  machineId: more.machineId ?? 'a machine',
  freeHeadStarts: more.freeHeadStarts ?? 1,
})
const runIds = Array.from({ length: 1000 }, (_, at) => `run_${String(at).padStart(27, '0')}`)

test('turns are spread over the workers, and the loss of a worker moves only its turns', () => {
  const workers = [worker(1), worker(2), worker(3), worker(4)]
  const before = runIds.map((runId) => chooseWorker(runId, workers, undefined))
  for (const { processId } of workers) {
    const share = before.filter((chosen) => chosen === processId).length / runIds.length
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.3)
  }
  const after = runIds.map((runId) => chooseWorker(runId, workers.slice(1), undefined))
  expect(before.filter((chosen, at) => chosen !== after[at])).toEqual(before.filter((chosen) => chosen === 1))
})

test('a worker without a free head start is not chosen', () => {
  const workers = [worker(1, { freeHeadStarts: 0 }), worker(2)]
  expect(new Set(runIds.map((runId) => chooseWorker(runId, workers, undefined)))).toEqual(new Set([2]))
  expect(chooseWorker('run', [worker(1, { freeHeadStarts: 0 })], undefined)).toBeUndefined()
  expect(chooseWorker('run', [], undefined)).toBeUndefined()
})

test('a worker on the machine with the files of the session is preferred while it has a free head start', () => {
  const near = worker(1, { machineId: 'near' })
  const workers = [near, worker(2), worker(3)]
  expect(new Set(runIds.map((runId) => chooseWorker(runId, workers, 'near')))).toEqual(new Set([1]))
  const full = [{ ...near, freeHeadStarts: 0 }, worker(2), worker(3)]
  expect(new Set(runIds.map((runId) => chooseWorker(runId, full, 'near')))).toEqual(new Set([2, 3]))
})

test('a limit is divided among the processes that share it, and each of them gets at least one', () => {
  expect([1, 2, 4, 7].map((members) => divideLimit(200, members))).toEqual([200, 100, 50, 29])
  expect([divideLimit(1, 10), divideLimit(0, 10), divideLimit(5, 0)]).toEqual([1, 0, 5])
})
