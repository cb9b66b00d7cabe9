import type { Launched } from '../../dev/processes/processes.ts'
import { startChildProcess } from './child-process.ts'
import type { ModelQuestion } from './model-server.ts'

export type FakeModel = {
  part: Launched
  url: string
  /** Moments at which it was called for the plan of this name, in microseconds. */
  listCalls(name: string): Promise<number[]>
}

/** Starts the fake model as a process of its own. */
export async function startModelServer(): Promise<FakeModel> {
  const { part, sendRequest } = await startChildProcess<ModelQuestion, string | number[]>('processes/model-server.ts')
  return {
    part,
    url: (await sendRequest({ url: true })) as string,
    listCalls: async (name) => (await sendRequest({ listCalls: name })) as number[],
  }
}
