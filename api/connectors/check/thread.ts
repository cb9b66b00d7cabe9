import { parentPort } from 'node:worker_threads'
import { createValidator } from './validate.ts'

// Runs in a separate thread, which is terminated when a validation takes too long: see checker.ts.
const validate = createValidator()
// Warms up the validator, so that the first caller does not wait for its compilation.
validate('{"type":"object","properties":{"a":{"type":"string","format":"uri"}},"required":["a"]}', '{"a":"b:c"}')
parentPort?.on('message', ({ schema, parameters }: { schema: string; parameters: string }) => {
  parentPort?.postMessage(validate(schema, parameters), [])
})
parentPort?.postMessage('ready', [])
