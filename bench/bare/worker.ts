import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { agentQueue } from '../../workers/queues.ts'
import { handleRequests, pathInBench } from '../processes/child-process.ts'
import { bareQueue, type BareWorker } from './engine.ts'
import { createBareStep } from './step.ts'
import { clockMicroseconds } from '../stack/plan.ts'

Runtime.install({ logger: { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error } })

handleRequests(async ({ address, databaseUrl, modelUrl }: BareWorker) => {
  const logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: console.error }
  const worker = await Worker.create({
    ...agentQueue,
    connection: await NativeConnection.connect({ address }),
    taskQueue: bareQueue,
    workflowBundle: await bundleWorkflowCode({ workflowsPath: pathInBench('bare/workflow.ts'), logger }),
    activities: {
      stamp: () => Promise.resolve(clockMicroseconds()),
      step: await createBareStep(databaseUrl, modelUrl),
    },
  })
  worker.run().catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
  return 'ready'
})
