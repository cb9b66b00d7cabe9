import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { toolEnvironment } from '../../dev/processes/tool-environment.mjs'
import { eventually } from '../world/world.ts'

/** Starts a server on a free port and resolves when it responds. */
export const startPeer = async (
  command: (port: number) => { file: string; args: string[]; env?: Record<string, string> },
) => {
  const port = await findFreePort()
  const { file, args, env = {} } = command(port)
  const child = spawn(file, args, { env: toolEnvironment(env), stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text: Buffer) => (errors = `${errors}${text.toString()}`.slice(-2000)))
  const exit = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  await eventually('the peer', async () => {
    if (child.exitCode !== null) throw new Error(`${file} ended: ${errors}`)
    return fetch(url).then(
      (response) => response.body?.cancel().then(() => true),
      () => undefined,
    )
  })
  return {
    url,
    close: async (): Promise<void> => {
      child.kill('SIGKILL')
      await exit
    },
  }
}

const findFreePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
