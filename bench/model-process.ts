import type { Launched } from '../dev/processes/processes.ts'
import { startAside } from './aside.ts'

/** Starts the fake model as a process of its own. */
export const startModelServer = async (): Promise<{ part: Launched; url: string }> => {
  const { part, ask } = await startAside<'url', string>('model-server.ts')
  return { part, url: await ask('url') }
}
