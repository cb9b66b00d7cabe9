import type { LaunchedProcess } from '../../../dev/processes/processes.ts'
import { createLifetime } from '../../../lifetime.ts'
import type { RunningPeer } from '../peer.ts'
import { killApp, startApp, type App } from './app.ts'

type Engine = Pick<LaunchedProcess, 'pid' | 'stop'>

/** Starts a peer whose turns run in the process that serves the client. `kill` kills only this process, not the engines. */
export async function startSingleApp(
  startEngines: (hold: (engine: Engine) => void) => Promise<App & { afterStart?: () => Promise<void> }>,
  prepareTurn: RunningPeer['prepareTurn'],
): Promise<RunningPeer> {
  const { register, close } = createLifetime()
  const engines: Engine[] = []
  try {
    const app = await startEngines((engine) => {
      engines.push(engine)
      register(engine, (each) => each.stop())
    })
    let part = await startApp(app)
    const stop = async (): Promise<void> => {
      await part.stop()
      await close()
    }
    try {
      await app.afterStart?.()
    } catch (error) {
      await stop()
      throw error
    }
    return {
      prepareTurn,
      kill: () => killApp(part),
      restart: async () => {
        part = await startApp(app)
      },
      pids: () => [part, ...engines].map(({ pid }) => pid),
      stop,
    }
  } catch (error) {
    await close()
    throw error
  }
}
