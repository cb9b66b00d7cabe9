import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { sendJson, serveVendor, type Call, type Vendor } from '../http.ts'
import { createDisk, createMachine, removeDisk, type Layout, type TestMachine } from '../machine/machine.ts'

export const vercelToken = 'vercel-token'

type Box = {
  name: string
  layout: Layout
  machine: TestMachine
  sessionId: string
  startedAt: number
  timeout: number
  defaultTimeout: number
}

const createId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`

const readStatus = ({ machine }: Box): string => (machine.running ? 'running' : 'stopped')

const toSession = (box: Box): object => ({
  id: box.sessionId,
  memory: 8192,
  vcpus: 4,
  region: 'iad1',
  timeout: box.timeout,
  status: readStatus(box),
  requestedAt: box.startedAt,
  startedAt: box.startedAt,
  createdAt: box.startedAt,
  updatedAt: Date.now(),
  cwd: box.layout.workspace,
})

const toSandbox = (box: Box): object => ({
  name: box.name,
  persistent: true,
  createdAt: box.startedAt,
  updatedAt: Date.now(),
  currentSessionId: box.sessionId,
  status: readStatus(box),
})

const toResponse = (box: Box): object => ({ sandbox: toSandbox(box), session: toSession(box), routes: [] })

/** Starts a fake Vercel Sandbox API for Vercel's library. Stores the machines in `root`. */
export const startVercel = async (root: string): Promise<Vendor> => {
  const boxes = new Map<string, Box>()
  const snapshots = new Map<string, { disk: string; sessionId: string; createdAt: number }>()

  const boot = async (box: Box): Promise<void> => {
    await box.machine.boot()
    box.sessionId = createId('sbx')
    box.startedAt = Date.now()
    box.timeout = box.defaultTimeout
  }

  const toSnapshot = (snapshotId: string): object | undefined => {
    const snapshot = snapshots.get(snapshotId)
    return (
      snapshot && {
        id: snapshotId,
        sourceSessionId: snapshot.sessionId,
        region: 'iad1',
        status: 'created',
        sizeBytes: 4096,
        createdAt: snapshot.createdAt,
        updatedAt: snapshot.createdAt,
      }
    )
  }

  const create = async ({ response, body }: Call): Promise<void> => {
    const { name, timeout, source } = JSON.parse(body.toString()) as {
      name: string
      timeout: number
      source?: { snapshotId: string }
    }
    const sourceSnapshot = source && snapshots.get(source.snapshotId)
    if (source !== undefined && sourceSnapshot === undefined)
      return sendJson(response, 410, { error: { code: 'snapshot_not_found', message: 'gone' } })
    if (boxes.has(name)) return sendJson(response, 409, { error: { code: 'conflict', message: 'exists' } })
    const disk = join(root, createId('disk'))
    const layout = { disk, home: '/home/vercel-sandbox', workspace: '/vercel/sandbox' }
    const machine = createMachine(layout)
    const box = { name, layout, machine, sessionId: '', startedAt: 0, timeout, defaultTimeout: timeout }
    boxes.set(name, box)
    await createDisk(disk, sourceSnapshot?.disk)
    await boot(box)
    sendJson(response, 200, toResponse(box))
  }

  const handleNamed = async ({ method, path, query, response }: Call): Promise<void> => {
    const name = decodeURIComponent(path.split('/').at(-1) ?? '')
    const box = boxes.get(name)
    if (box === undefined) return sendJson(response, 404, { error: { code: 'not_found', message: 'not found' } })
    if (method === 'DELETE') {
      boxes.delete(name)
      await box.machine.halt()
      await removeDisk(box.layout.disk)
      return sendJson(response, 200, { sandbox: toSandbox(box) })
    }
    const resumed = !box.machine.running && query.get('resume') !== 'false'
    if (resumed) await boot(box)
    sendJson(response, 200, { ...toResponse(box), resumed })
  }

  const runCommand = async (box: Box, { body, response }: Call): Promise<void> => {
    const request = JSON.parse(body.toString()) as {
      command: string
      args: string[]
      env: Record<string, string>
      cwd?: string
    }
    const { command: file, args, env, cwd } = request
    const command = {
      id: createId('cmd'),
      name: file,
      args,
      cwd: cwd ?? '/',
      sessionId: box.sessionId,
      startedAt: Date.now(),
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const write = (line: object): void => void response.write(`${JSON.stringify(line)}\n`)
    write({ command: { ...command, exitCode: null } })
    const log = (stream: string) => {
      const decoder = new StringDecoder('utf8')
      return (bytes: Buffer) => write({ stream, data: decoder.write(bytes) })
    }
    const program = { file, args, env, cwd: cwd ?? box.layout.workspace }
    const exitCode = await box.machine.start(program, { onStdout: log('stdout'), onStderr: log('stderr') })
    if (exitCode === undefined) write({ stream: 'error', data: { code: 'sandbox_stopped', message: 'stopped' } })
    else write({ command: { ...command, exitCode } })
    response.end()
  }

  const writeFiles = async (box: Box, { headers, body, response }: Call): Promise<void> => {
    const args = ['-xzf', '-', '-C', String(headers['x-cwd'])]
    const exitCode = await box.machine.start({ file: 'tar', args, input: body })
    sendJson(response, exitCode === 0 ? 200 : 400, {})
  }

  const readFile = async (box: Box, { body, response }: Call): Promise<void> => {
    const { path } = JSON.parse(body.toString()) as { path: string }
    const chunks: Buffer[] = []
    const program = { file: 'cat', args: ['--', path] }
    const exitCode = await box.machine.start(program, { onStdout: (bytes) => chunks.push(bytes) })
    if (exitCode !== 0) return sendJson(response, 404, {})
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    response.end(Buffer.concat(chunks))
  }

  const stop = async (box: Box, { response }: Call): Promise<void> => {
    await box.machine.halt()
    sendJson(response, 200, { session: toSession(box) })
  }

  const extend = async (box: Box, { body, response }: Call): Promise<void> => {
    box.timeout += (JSON.parse(body.toString()) as { duration: number }).duration
    sendJson(response, 200, { session: toSession(box) })
  }

  const setNetwork = async (box: Box, { response }: Call): Promise<void> =>
    sendJson(response, 200, { session: toSession(box) })

  const snapshot = async (box: Box, { response }: Call): Promise<void> => {
    await box.machine.halt()
    const snapshotId = createId('snap')
    const disk = join(root, snapshotId)
    await createDisk(disk, box.layout.disk)
    snapshots.set(snapshotId, { disk, sessionId: box.sessionId, createdAt: Date.now() })
    sendJson(response, 200, { snapshot: toSnapshot(snapshotId), session: toSession(box) })
  }

  const actions: Record<string, (box: Box, call: Call) => Promise<void>> = {
    cmd: runCommand,
    'fs/write': writeFiles,
    'fs/read': readFile,
    stop,
    'extend-timeout': extend,
    'network-policy': setNetwork,
    snapshot,
  }

  const handleSession = async (call: Call): Promise<void> => {
    const [, sessionId, action = ''] = /\/sessions\/([^/]+)\/(.+)$/.exec(call.path) ?? []
    const box = [...boxes.values()].find((box) => box.sessionId === sessionId)
    const runAction = actions[action]
    if (runAction === undefined)
      return sendJson(call.response, 404, { error: { code: 'not_found', message: 'no such path' } })
    if (box === undefined || !box.machine.running)
      return sendJson(call.response, 410, { error: { code: 'sandbox_stopped', message: 'stopped' } })
    await runAction(box, call)
  }

  const handleSnapshot = async ({ method, path, response }: Call): Promise<void> => {
    const snapshotId = path.split('/').at(-1) ?? ''
    const snapshot = toSnapshot(snapshotId)
    if (snapshot === undefined) return sendJson(response, 404, { error: { code: 'not_found', message: 'not found' } })
    if (method === 'DELETE') {
      await removeDisk(snapshots.get(snapshotId)?.disk ?? '')
      snapshots.delete(snapshotId)
    }
    sendJson(response, 200, { snapshot })
  }

  const handle = async (call: Call): Promise<void> => {
    if (call.headers.authorization !== `Bearer ${vercelToken}` || call.query.get('teamId') !== 'team_1')
      return sendJson(call.response, 403, { error: { code: 'forbidden', message: 'forbidden' } })
    if (call.path.includes('/v2/sandboxes/sessions/')) return handleSession(call)
    if (call.path.includes('/v2/sandboxes/snapshots/')) return handleSnapshot(call)
    return call.method === 'POST' ? create(call) : handleNamed(call)
  }

  return serveVendor(handle, async () => {
    for (const box of boxes.values()) await box.machine.halt()
  })
}
