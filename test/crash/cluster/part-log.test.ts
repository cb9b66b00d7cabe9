import { expect, test } from 'vitest'
import { createPartLog } from './part-log.ts'

test.each([
  ['worker-1 | 19:00:00.000 FATAL out of luck {"code":7}', true],
  ['worker-1 | [UnhandledPromiseRejection: This error originated …]', true],
  ['api-1  | node:internal/process/promises:394 triggerUncaughtException(err, true);', true],
  ['api-1  | FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', true],
  ['api-1  | 19:00:00.000 ERROR Service temporarily unavailable {"err":{"severity":"FATAL"}}', false],
  ['worker-1 | 19:00:00.000 WARN a worker was lost; its activity is retried {}', false],
])('the line %s reports an error: %s', (line, isError) => {
  const log = createPartLog()
  log.write(line)
  expect(log.errorLines).toEqual(isError ? [line] : [])
})

test('output of an earlier process remains in the text, but a search covers only the current process', () => {
  const log = createPartLog()
  log.write('ready')
  expect(log.hasLine('ready')).toBe(true)
  log.beginProcess()
  expect(log.hasLine('ready')).toBe(false)
  expect(log.text()).toBe('ready')
})
