import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { nodeBundle } from '../../dev/node-bundle.ts'
import { launch, type Launched } from '../../dev/processes/processes.ts'

/** A process of the bench's own: what it computes does not disturb what is measured elsewhere. */
export type ChildProcess<Question, Answer> = {
  part: Launched
  sendRequest: (question: Question) => Promise<Answer>
}

type Asked<Question> = { id: number; question: Question }
type Answered<Answer> = { id: number; answer?: Answer; fault?: string }

const benchFolder = fileURLToPath(new URL('..', import.meta.url))

/** Path of a file of the bench; a whole path stays as it is. */
export function pathInBench(name: string): string {
  return resolve(benchFolder, name)
}

/** Bundles a file of the bench as what it is compared with is bundled: with the same repairs of the Postgres driver. */
export async function bundled(name: string): Promise<string> {
  const outdir = pathInBench('../dist/bench')
  await build({ ...nodeBundle, entryPoints: [pathInBench(name)], outdir, sourcemap: true, sourcesContent: false })
  return join(outdir, basename(name).replace(/\.ts$/, '.js'))
}

/** Runs a file of the bench, or a bundle of one, that answers questions with `answerQuestions`. It ends when we do. */
export async function startChildProcess<Question, Answer>(
  file: string,
  options: { env?: Record<string, string>; nodeOptions?: string[]; output?: 'inherit' | 'ignore' } = {},
): Promise<ChildProcess<Question, Answer>> {
  const part = await launch({
    command: [process.execPath, ...(options.nodeOptions ?? []), '--import', 'tsx', pathInBench(file)],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.env },
    stdio: ['ignore', options.output ?? 'inherit', 'inherit', 'ipc'],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: 2000 }],
  })
  const { child, exited } = part
  const open = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()
  let last = 0
  child.on('message', (message) => {
    const { id, answer, fault } = message as Answered<Answer>
    const waiting = open.get(id)
    open.delete(id)
    if (fault === undefined) waiting?.resolve(answer as Answer)
    else waiting?.reject(new Error(`${file}: ${fault}`))
  })
  const refuseAll = (how: string): void => {
    for (const { reject } of open.values()) reject(new Error(`${file} ended: ${how}`))
  }
  void exited.then(refuseAll)
  return {
    part,
    sendRequest: (question) =>
      new Promise<Answer>((resolve, reject) => {
        const id = ++last
        open.set(id, { resolve, reject })
        child.send({ id, question } satisfies Asked<Question>)
      }),
  }
}

/** The other end: answers each question that the bench asks, several at a time. */
export function answerQuestions(answer: (question: never) => Promise<unknown>): void {
  const reply = async ({ id, question }: Asked<never>): Promise<Answered<unknown>> => {
    try {
      return { id, answer: await answer(question) }
    } catch (error) {
      return { id, fault: String(error) }
    }
  }
  process.on('disconnect', () => process.exit())
  process.on('message', (message) => {
    void reply(message as Asked<never>).then((answered) => process.send?.(answered))
  })
}

/** Serves on a free port of this process; returns the address. */
export function serve(listener: RequestListener): Promise<string> {
  const server = createServer({ noDelay: true }, listener)
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}
