import { randomUUID } from 'node:crypto'
import type { LaunchedProcess } from '../../dev/processes/processes.ts'
import { connectClient } from '../../engine/connect.ts'
import { startChildProcess } from '../processes/child-process.ts'
import type { Stack } from '../stack/stack.ts'

export type BareWorker = { address: string; databaseUrl: string; modelUrl: string }

/** Runs workflows that consist only of activities on the stack's Temporal, in a separate minimal worker process. */
export type BareEngine = {
  pid: number
  /**
   * Runs `count` empty activities one after the other. Returns the `clockMicroseconds` at which each activity started.
   */
  run(count: number): Promise<number[]>
  /** Runs `count` bare steps one after the other. Returns the `clockMicroseconds` of each response of the model. */
  runSteps(count: number): Promise<number[]>
  close(): Promise<void>
}

export const bareQueue = 'bare'

/** Starts the minimal worker and waits until it is ready. */
export async function startBareWorker({ temporalAddress, databaseUrl, modelUrl }: Stack): Promise<LaunchedProcess> {
  const { part, sendRequest } = await startChildProcess<BareWorker, 'ready'>('bare/worker.ts')
  await sendRequest({ address: temporalAddress, databaseUrl, modelUrl })
  return part
}

export async function startBareEngine(stack: Stack): Promise<BareEngine> {
  const part = await startBareWorker(stack)
  const engine = await connectClient({ address: stack.temporalAddress, namespace: 'default', tls: false })
  const execute = (count: number, steps: boolean): Promise<number[]> =>
    engine.client.workflow.execute<(count: number, steps: boolean) => Promise<number[]>>('bare', {
      taskQueue: bareQueue,
      workflowId: `bare-${randomUUID()}`,
      args: [count, steps],
      workflowTaskTimeout: '5s',
    })
  return {
    pid: part.pid,
    run: (count) => execute(count, false),
    runSteps: (count) => execute(count, true),
    close: async () => {
      await engine.close()
      await part.stop()
    },
  }
}
