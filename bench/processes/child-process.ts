import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { nodeBundle } from '../../dev/node-bundle.ts'
import { launch, type LaunchedProcess } from '../../dev/processes/processes.ts'

/** A separate process of the benchmark, so that its work does not disturb the measured processes. */
export type ChildProcess<Question, Answer> = {
  part: LaunchedProcess
  sendRequest: (question: Question) => Promise<Answer>
}

type QuestionMessage<Question> = { id: number; question: Question }
type AnswerMessage<Answer> = { id: number; answer?: Answer; error?: string }

const benchFolder = fileURLToPath(new URL('..', import.meta.url))

/** Returns the path of a file in this folder. An absolute path is returned unchanged. */
export function pathInBench(name: string): string {
  return resolve(benchFolder, name)
}

/** Bundles a file of the benchmark like the API, with the same patches of the Postgres driver. */
export async function bundled(name: string): Promise<string> {
  const outdir = pathInBench('../dist/bench')
  await build({ ...nodeBundle, entryPoints: [pathInBench(name)], outdir, sourcemap: true, sourcesContent: false })
  return join(outdir, basename(name).replace(/\.ts$/, '.js'))
}

/** Runs a file of the benchmark, or its bundle, that calls `answerQuestions`. The process ends with this one. */
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
    const { id, answer, error } = message as AnswerMessage<Answer>
    const waiting = open.get(id)
    open.delete(id)
    if (error === undefined) waiting?.resolve(answer as Answer)
    else waiting?.reject(new Error(`${file}: ${error}`))
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
        child.send({ id, question } satisfies QuestionMessage<Question>)
      }),
  }
}

/** Runs in the child process. Answers the questions of the benchmark, several at a time. */
export function answerQuestions(answer: (question: never) => Promise<unknown>): void {
  const reply = async ({ id, question }: QuestionMessage<never>): Promise<AnswerMessage<unknown>> => {
    try {
      return { id, answer: await answer(question) }
    } catch (error) {
      return { id, error: String(error) }
    }
  }
  process.on('disconnect', () => process.exit())
  process.on('message', (message) => {
    void reply(message as QuestionMessage<never>).then((answer) => process.send?.(answer))
  })
}

/** Serves on a free port. Returns the URL. */
export function serve(listener: RequestListener): Promise<string> {
  const server = createServer({ noDelay: true }, listener)
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}
