import { randomUUID } from 'node:crypto'
import { connectClient } from '../engine/connect.ts'
import { startAside } from './aside.ts'
import type { Stack } from './stack.ts'

/** A workflow of nothing but empty activities on the stack's Temporal, in a minimal worker process of its own. */
export type BareEngine = {
  /** Runs `count` activities one after the other; answers when each began, on the clock of `clockMicroseconds`. */
  run(count: number): Promise<number[]>
  close(): Promise<void>
}

const taskQueue = 'bare'

export const startBareEngine = async (stack: Stack): Promise<BareEngine> => {
  const { part, ask } = await startAside<{ address: string; taskQueue: string }, 'ready'>('bare-worker.ts')
  const engine = await connectClient({ address: stack.temporalAddress, namespace: 'default', tls: false })
  await ask({ address: stack.temporalAddress, taskQueue })
  return {
    run: (count) =>
      engine.client.workflow.execute<(count: number) => Promise<number[]>>('bare', {
        taskQueue,
        workflowId: `bare-${randomUUID()}`,
        args: [count],
        workflowTaskTimeout: '5s',
      }),
    close: async () => {
      await engine.close()
      await part.stop()
    },
  }
}
