import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sendJson, serveVendor, type Call, type Vendor } from './http.ts'
import { createDisk, createMachine, removeDisk, type Layout, type TestMachine } from './machine/machine.ts'

export const e2bKey = 'e2b_0123456789012345678901234567890123456789'

type Box = {
  id: string
  layout: Layout
  machine: TestMachine
  metadata: Record<string, string>
  startedAt: number
  endAt: number
}

const createId = (): string => randomBytes(10).toString('hex')
const envdVersion = '0.6.4'
const accessToken = 'machine-token'

const frame = (flags: number, message: object): Buffer => {
  const body = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

const toCreateResponse = ({ id }: Box): object => ({
  sandboxID: id,
  templateID: 'base',
  clientID: 'client',
  envdVersion,
  envdAccessToken: accessToken,
})

const toInfo = (box: Box): object => ({
  sandboxID: box.id,
  templateID: 'base',
  clientID: 'client',
  metadata: box.metadata,
  startedAt: new Date(box.startedAt).toISOString(),
  endAt: new Date(box.endAt).toISOString(),
  state: box.machine.running ? 'running' : 'paused',
  cpuCount: 2,
  memoryMB: 1024,
  diskSizeMB: 1024,
  envdVersion,
})

/** Starts a fake E2B API, including the agent in its machines, for E2B's library. Stores the machines in `root`. */
export const startE2b = async (root: string): Promise<Vendor> => {
  const boxes = new Map<string, Box>()
  const snapshots = new Map<string, string>()

  const create = async ({ body, response }: Call): Promise<void> => {
    const { templateID, metadata, timeout } = JSON.parse(body.toString()) as {
      templateID: string
      metadata: Record<string, string>
      timeout: number
    }
    if (templateID !== 'base' && !snapshots.has(templateID))
      return sendJson(response, 404, { code: 404, message: `template '${templateID}' not found` })
    const boxId = createId()
    const layout = { disk: join(root, boxId), home: '/home/user', workspace: '/home/user/workspace' }
    await createDisk(layout.disk, snapshots.get(templateID))
    const now = Date.now()
    const machine = createMachine(layout)
    const box = { id: boxId, layout, machine, metadata, startedAt: now, endAt: now + timeout * 1000 }
    await machine.boot()
    boxes.set(boxId, box)
    sendJson(response, 201, toCreateResponse(box))
  }

  const list = ({ query, response }: Call): void => {
    const metadataFilter = Object.entries(Object.fromEntries(new URLSearchParams(query.get('metadata') ?? '')))
    const matches = ({ metadata }: Box): boolean => metadataFilter.every(([key, value]) => metadata[key] === value)
    sendJson(response, 200, [...boxes.values()].filter(matches).map(toInfo))
  }

  const connect = async (box: Box, { body, response }: Call): Promise<void> => {
    const { timeout } = JSON.parse(body.toString()) as { timeout: number }
    const wasRunning = box.machine.running
    if (!wasRunning) await box.machine.boot()
    const endAt = Date.now() + timeout * 1000
    box.endAt = wasRunning ? Math.max(box.endAt, endAt) : endAt
    sendJson(response, wasRunning ? 200 : 201, toCreateResponse(box))
  }

  const remove = async (box: Box, { response }: Call): Promise<void> => {
    boxes.delete(box.id)
    await box.machine.halt()
    await removeDisk(box.layout.disk)
    sendJson(response, 204)
  }

  const pause = async (box: Box, { response }: Call): Promise<void> => {
    if (!box.machine.running) return sendJson(response, 409, { code: 409, message: 'already paused' })
    await box.machine.halt()
    sendJson(response, 204)
  }

  const setTimeout = async (box: Box, { body, response }: Call): Promise<void> => {
    box.endAt = Date.now() + (JSON.parse(body.toString()) as { timeout: number }).timeout * 1000
    sendJson(response, 204)
  }

  const setNetwork = async (_: Box, { response }: Call): Promise<void> => sendJson(response, 204)

  const snapshot = async (box: Box, { response }: Call): Promise<void> => {
    const snapshotID = `snapshot-${createId()}`
    snapshots.set(snapshotID, join(root, snapshotID))
    await createDisk(join(root, snapshotID), box.layout.disk)
    sendJson(response, 201, { snapshotID, names: [] })
  }

  const deleteTemplate = async ({ path, response }: Call): Promise<void> => {
    const disk = snapshots.get(path.split('/').at(-1) ?? '')
    if (disk === undefined) return sendJson(response, 404, { code: 404, message: 'not found' })
    snapshots.delete(path.split('/').at(-1) ?? '')
    await removeDisk(disk)
    sendJson(response, 204)
  }

  const show = async (box: Box, { response }: Call): Promise<void> => sendJson(response, 200, toInfo(box))

  const actions: Record<string, (box: Box, call: Call) => Promise<void>> = {
    'GET ': show,
    'POST connect': connect,
    'POST pause': pause,
    'POST timeout': setTimeout,
    'PUT network': setNetwork,
    'POST snapshots': snapshot,
    'DELETE ': remove,
  }

  const startProcess = async (box: Box, { body, response }: Call): Promise<void> => {
    const { process } = JSON.parse(body.subarray(5).toString()) as {
      process: { cmd: string; args: string[]; envs?: Record<string, string>; cwd?: string }
    }
    const { cmd: file, args, envs: env = {}, cwd = box.layout.home } = process
    response.writeHead(200, { 'content-type': 'application/connect+json' })
    const send = (event: object): void => void response.write(frame(0, { event }))
    send({ start: { pid: 1 } })
    const exitCode = await box.machine.start(
      { file, args, env, cwd },
      {
        onStdout: (bytes) => send({ data: { stdout: bytes.toString('base64') } }),
        onStderr: (bytes) => send({ data: { stderr: bytes.toString('base64') } }),
      },
    )
    if (exitCode === undefined) return void response.destroy()
    send({ end: { exitCode, exited: true, status: `exit status ${exitCode}` } })
    response.end(frame(2, {}))
  }

  const handleFiles = async (box: Box, { method, query, body, response }: Call): Promise<void> => {
    const path = query.get('path') ?? ''
    if (method === 'POST') {
      const write = ['-c', 'mkdir -p -- "$(dirname -- "$1")" && cat > "$1"', 'bash', path]
      await box.machine.start({ file: 'bash', args: write, input: body })
      return sendJson(response, 200, [{ name: path.split('/').at(-1), type: 'file', path }])
    }
    const chunks: Buffer[] = []
    const program = { file: 'cat', args: ['--', path] }
    const exitCode = await box.machine.start(program, { onStdout: (bytes) => chunks.push(bytes) })
    if (exitCode !== 0) return sendJson(response, 404, { code: 404, message: 'not found' })
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    response.end(Buffer.concat(chunks))
  }

  const toMachine = async (call: Call): Promise<void> => {
    const box = boxes.get(String(call.headers['e2b-sandbox-id']))
    if (box === undefined || !box.machine.running)
      return sendJson(call.response, 502, { code: 502, message: 'The sandbox is not running' })
    if (call.headers['x-access-token'] !== accessToken)
      return sendJson(call.response, 401, { code: 401, message: 'no' })
    return call.path === '/files' ? handleFiles(box, call) : startProcess(box, call)
  }

  const handle = async (call: Call): Promise<void> => {
    if (call.path === '/files' || call.path === '/process.Process/Start') return toMachine(call)
    if (call.headers['x-api-key'] !== e2bKey)
      return sendJson(call.response, 401, { code: 401, message: 'unauthorized' })
    if (call.path.startsWith('/templates/')) return deleteTemplate(call)
    if (call.path === '/v2/sandboxes') return call.method === 'POST' ? create(call) : list(call)
    const [, boxId = '', action = ''] = /^(?:\/v2)?\/sandboxes\/([^/]+)\/?(.*)$/.exec(call.path) ?? []
    const box = boxes.get(boxId)
    const runAction = actions[`${call.method} ${action}`]
    if (box === undefined || runAction === undefined)
      return sendJson(call.response, 404, { code: 404, message: `sandbox ${boxId} not found` })
    await runAction(box, call)
  }

  return serveVendor(handle, async () => {
    for (const box of boxes.values()) await box.machine.halt()
  })
}
