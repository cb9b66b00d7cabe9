import type { LaunchedProcess } from '../../dev/processes/processes.ts'
import { startChildProcess } from './child-process.ts'
import type { ModelRequest } from './model-server.ts'

export type FakeModel = {
  part: LaunchedProcess
  url: string
  /** Returns the times at which the model was called for the plan with this name, in microseconds. */
  listCalls(name: string): Promise<number[]>
}

/** Starts the fake model in a separate process. */
export async function startModelServer(): Promise<FakeModel> {
  const { part, sendRequest } = await startChildProcess<ModelRequest, string | number[]>('processes/model-server.ts')
  return {
    part,
    url: (await sendRequest({ url: true })) as string,
    listCalls: async (name) => (await sendRequest({ listCalls: name })) as number[],
  }
}
