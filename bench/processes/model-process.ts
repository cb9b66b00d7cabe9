import type { Launched } from '../../dev/processes/processes.ts'
import { startChildProcess } from './child-process.ts'

/** Starts the fake model as a process of its own. */
export async function startModelServer(): Promise<{ part: Launched; url: string }> {
  const { part, ask } = await startChildProcess<'url', string>('processes/model-server.ts')
  return { part, url: await ask('url') }
}
