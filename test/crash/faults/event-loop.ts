import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'undici'
import { eventually } from '../../world/world.ts'

type Target = { webSocketDebuggerUrl: string }

/**
 * Blocks the event loop of a Node process that was started with this inspector port. Resolves when the loop is blocked,
 * to a function that unblocks the loop.
 */
export const blockEventLoop = async (pid: number, inspectorPort: number): Promise<() => void> => {
  // Opens the inspector of a running process.
  process.kill(pid, 'SIGUSR1')
  const target = await eventually('an inspector', async () => {
    const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`).catch(() => undefined)
    return ((await response?.json()) as Target[] | undefined)?.[0]
  })
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  const blocked = new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('the inspector does not respond')))
    // The inspector reports the console call before the evaluation ends.
    socket.addEventListener('message', ({ data }) => String(data).includes('blocked from now on') && resolve())
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const endFile = join(tmpdir(), `backline-block-${randomUUID()}`)
  const expression = `
    console.debug('blocked from now on')
    const cell = new Int32Array(new SharedArrayBuffer(4))
    const { existsSync, rmSync } = process.getBuiltinModule('node:fs')
    while (!existsSync(${JSON.stringify(endFile)})) Atomics.wait(cell, 0, 0, 20)
    rmSync(${JSON.stringify(endFile)})`
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.enable' }))
  socket.send(JSON.stringify({ id: 2, method: 'Runtime.evaluate', params: { expression } }))
  await blocked
  socket.close()
  return () => writeFileSync(endFile, '')
}
