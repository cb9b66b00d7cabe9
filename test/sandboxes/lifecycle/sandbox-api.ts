import { findSession } from '../../../db/sessions/sessions.ts'
import type { LifecycleState, SessionRow } from '../../../domain/sessions/sessions.ts'
import type { SandboxPort } from '../../../providers/sandbox/index.ts'
import { sandboxSettings } from '../../../config.ts'
import { createSandboxes } from '../../../providers/sandbox/choose.ts'
import { createChatApi, type OpenChat } from '../../chat/chat-api.ts'
import { listFrames } from '../../world/transcript.ts'
import { eventually, type World } from '../../world/world.ts'

const longMs = 60_000

/** Creates helpers that send sandbox requests, run commands and wait for lifecycle states. */
export const createSandboxApi = (world: World) => {
  const chatApi = createChatApi(world)

  const requireRow = async (sessionId: string): Promise<SessionRow> => {
    const row = await findSession(world.db, sessionId)
    if (row === undefined) throw new Error('no such session')
    return row
  }

  const untilState = (sessionId: string, state: LifecycleState | null, timeoutMs = longMs): Promise<SessionRow> =>
    eventually(
      `the state ${state}`,
      async () => {
        const row = await requireRow(sessionId)
        return row.lifecycleState === state ? row : undefined
      },
      timeoutMs,
    )

  const sendRequest = (method: 'GET' | 'POST', name: string, { account, sessionId }: OpenChat) =>
    method === 'GET'
      ? world.request(method, `/api/sandbox/${name}?sessionId=${sessionId}`, { key: account.key })
      : world.request(method, `/api/sandbox${name === '' ? '' : `/${name}`}`, { key: account.key, body: { sessionId } })

  /** Runs a command in a turn and returns its output. */
  const run = async (chat: OpenChat, command: string): Promise<string> => {
    const transcript = await chatApi.send(chat, `$ ${command}`)
    const frame = listFrames(transcript).find(({ type }) => type === 'tool-output-available')
    return (frame?.['output'] as { stdout?: string } | undefined)?.stdout ?? `no output: ${JSON.stringify(frame)}`
  }

  return {
    chatApi,
    sendRequest,
    run,
    requireRow,
    untilState,
    /** Ends the idle time of the session. */
    passIdle: (sessionId: string) =>
      world.db`update sessions set hibernate_after = now() - interval '1 minute' where id = ${sessionId}`,
    /** Opens the driver of the deployment. */
    openDriver: (): Promise<SandboxPort> =>
      createSandboxes({
        ...sandboxSettings(world.config),
        root: `${world.config.DATA_DIR}/sandboxes`,
        log: world.deps.log,
      }),
    isWatched: async (sessionId: string): Promise<boolean> =>
      (await world.engine.readState(`sandbox:${sessionId}`)) === 'running',
    untilUnwatched: (sessionId: string) =>
      eventually(
        'the end of the watch',
        async () => (await world.engine.readState(`sandbox:${sessionId}`)) === 'ended' || undefined,
        longMs,
      ),
  }
}
