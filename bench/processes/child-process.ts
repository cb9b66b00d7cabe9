import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { nodeBundle } from '../../dev/node-bundle.ts'
import { launch, type LaunchedProcess } from '../../dev/processes/processes.ts'

/** Process that executes part of the benchmark outside the measured processes. */
export type ChildProcess<Input, Output> = {
  part: LaunchedProcess
  sendRequest: (input: Input) => Promise<Output>
}

type RequestMessage<Input> = { id: number; input: Input }
type ResponseMessage<Output> = { id: number; output?: Output; error?: string }

const benchFolder = fileURLToPath(new URL('..', import.meta.url))

/** Returns the path of a file in the folder `bench`. An absolute path is returned unchanged. */
export function pathInBench(name: string): string {
  return resolve(benchFolder, name)
}

/** Bundles a benchmark file as the API is bundled, with the same patched Postgres driver. Returns the path of the bundle. */
export async function bundle(name: string): Promise<string> {
  const outdir = pathInBench('../dist/bench')
  await build({ ...nodeBundle, entryPoints: [pathInBench(name)], outdir, sourcemap: true, sourcesContent: false })
  return join(outdir, basename(name).replace(/\.ts$/, '.js'))
}

/** Runs a file of the benchmark, or its bundle, that calls `handleRequests`. The process ends when this process ends. */
export async function startChildProcess<Input, Output>(
  file: string,
  options: { env?: Record<string, string>; nodeOptions?: string[]; output?: 'inherit' | 'ignore' } = {},
): Promise<ChildProcess<Input, Output>> {
  const part = await launch({
    command: [process.execPath, ...(options.nodeOptions ?? []), '--import', 'tsx', pathInBench(file)],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.env },
    stdio: ['ignore', options.output ?? 'inherit', 'inherit', 'ipc'],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: 2000 }],
  })
  const { child, exited } = part
  const pending = new Map<number, { resolve: (output: Output) => void; reject: (error: Error) => void }>()
  let lastId = 0
  child.on('message', (message) => {
    const { id, output, error } = message as ResponseMessage<Output>
    const request = pending.get(id)
    pending.delete(id)
    if (error === undefined) request?.resolve(output as Output)
    else request?.reject(new Error(`${file}: ${error}`))
  })
  const rejectAll = (exitStatus: string): void => {
    for (const { reject } of pending.values()) reject(new Error(`${file} ended: ${exitStatus}`))
  }
  void exited.then(rejectAll)
  return {
    part,
    sendRequest: (input) =>
      new Promise<Output>((resolve, reject) => {
        const id = ++lastId
        pending.set(id, { resolve, reject })
        child.send({ id, input } satisfies RequestMessage<Input>)
      }),
  }
}

/** Runs in the child process. Handles the requests of the benchmark concurrently. */
export function handleRequests(handle: (input: never) => Promise<unknown>): void {
  const respond = async ({ id, input }: RequestMessage<never>): Promise<ResponseMessage<unknown>> => {
    try {
      return { id, output: await handle(input) }
    } catch (error) {
      return { id, error: String(error) }
    }
  }
  process.on('disconnect', () => process.exit())
  process.on('message', (message) => {
    void respond(message as RequestMessage<never>).then((response) => process.send?.(response))
  })
}

/** Starts an HTTP server on a free port. Returns its URL. */
export function serve(listener: RequestListener): Promise<string> {
  const server = createServer({ noDelay: true }, listener)
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}
