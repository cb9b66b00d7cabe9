import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Group, GroupEnd } from './children/start-group.mjs'
import { boundToParent } from './local/host.ts'

const childPath = fileURLToPath(new URL('./children/fork-server-child.mjs', import.meta.url))

/** Minimum time between two starts of the fork server. While it is not running, this process starts the groups. */
const startIntervalMs = 10_000

/** Time after which a fork server that does not respond to a kill request is killed. */
const silenceTimeoutMs = 5000

/** Time after which an idle fork server, which takes 13 MB, is ended. */
export const idleTimeoutMs = 60_000

export type GroupEvents = {
  onSpawn: (pid: number) => void
  onOutput: (chunk: Buffer) => void
  onError: (error: Error) => void
  onClose: (end: GroupEnd) => void
}

type Message =
  | { ready: true }
  | { id: number; killed: true }
  | { id: number; spawned: number }
  | { id: number; output: Uint8Array }
  | { id: number; failed: { message: string; code: string | undefined } }
  | { id: number; ended: GroupEnd }

type Server = {
  child: ChildProcess
  ready: boolean
  groups: Map<number, GroupEvents>
  /** Timer that runs while a response is outstanding. */
  silenceTimer: NodeJS.Timeout | undefined
  /** Timer that runs while there are no groups. */
  idleTimer: NodeJS.Timeout | undefined
}

let server: Server | undefined
let nextStartAt = 0
let lastId = 0

/**
 * Starts a process group from a small helper process. A fork copies the page table of its process, which blocks a worker of
 * 350 MB for four milliseconds. If the helper is not running, starts it and returns undefined, and the caller must start the
 * group itself. The groups end with the helper, and the helper ends with this process.
 */
export function startInForkServer(
  group: Group & { maxOutputBytes: number },
  events: GroupEvents,
): { kill: () => void } | undefined {
  server ??= startServer()
  if (server?.ready !== true || !server.child.connected) return undefined
  const currentServer = server
  const { child, groups } = currentServer
  const id = ++lastId
  if (groups.size === 0) keepParentAlive(currentServer)
  groups.set(id, events)
  child.send({ id, ...group })
  const kill = (): void => {
    if (!child.connected) return
    child.send({ id, kill: true })
    currentServer.silenceTimer ??= setTimeout(() => child.kill('SIGKILL'), silenceTimeoutMs)
  }
  return { kill }
}

function startServer(): Server | undefined {
  if (performance.now() < nextStartAt) return undefined
  nextStartAt = performance.now() + startIntervalMs
  const child = fork(childPath, {
    cwd: '/',
    env: {},
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...boundToParent(['--no-warnings']),
  })
  const started: Server = { child, ready: false, groups: new Map(), silenceTimer: undefined, idleTimer: undefined }
  const end = (): void => {
    if (server === started) server = undefined
    child.kill('SIGKILL')
    clearTimeout(started.silenceTimer)
    clearTimeout(started.idleTimer)
    const remainingGroups = [...started.groups.values()]
    started.groups.clear()
    for (const { onClose } of remainingGroups) onClose({ status: '', complaint: 'its fork server ended' })
  }
  child.on('message', (message: Message) => handleMessage(started, message))
  child.on('error', end)
  child.once('exit', end)
  enterIdle(started)
  return started
}

function handleMessage(server: Server, message: Message): void {
  clearTimeout(server.silenceTimer)
  server.silenceTimer = undefined
  if ('ready' in message) server.ready = true
  if ('ready' in message || 'killed' in message) return
  const events = server.groups.get(message.id)
  if (events === undefined) return
  if ('spawned' in message) events.onSpawn(message.spawned)
  if ('output' in message) events.onOutput(Buffer.from(message.output))
  if (!('failed' in message || 'ended' in message)) return
  server.groups.delete(message.id)
  if (server.groups.size === 0) enterIdle(server)
  if ('ended' in message) events.onClose(message.ended)
  else events.onError(Object.assign(new Error(message.failed.message), { code: message.failed.code }))
}

/** Lets this process exit while the fork server is idle, and ends a fork server that remains idle. */
function enterIdle(idleServer: Server): void {
  const { child } = idleServer
  child.unref()
  child.channel?.unref()
  idleServer.idleTimer = setTimeout(() => {
    if (server === idleServer) server = undefined
    child.kill('SIGKILL')
  }, idleTimeoutMs).unref()
}

function keepParentAlive({ child, idleTimer }: Server): void {
  clearTimeout(idleTimer)
  child.ref()
  child.channel?.ref()
}
