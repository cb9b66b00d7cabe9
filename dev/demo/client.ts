import { createWriteStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReadableStream } from 'node:stream/web'
import { loadConfig } from '../../config.ts'
import type { LocalFile } from '../stack/data-dir.ts'
import { CommandRefusedError, print } from '../say.ts'

export type Demo = Awaited<ReturnType<typeof connectDemo>>

/** Connects to the running Backline with its demo account. */
export async function connectDemo() {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { DATA_DIR: dataDir } = loadConfig()
  const pids = async (): Promise<LocalFile['pids']> => (await readLocal(dataDir)).pids
  return { ...createClient(await readLocal(dataDir)), pids }
}

export function printHeading(text: string): void {
  return print(`\n── ${text}`)
}

/** Calls `read` at an interval until it returns a value. */
export async function poll<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    await pause(200)
  }
}

/** Returns a function that prints a line if it differs from the previous one. */
export function createChangePrinter(): (line: string) => void {
  let lastLine = ''
  return (line) => {
    if (line !== lastLine) print(`  ${line}`)
    lastLine = line
  }
}

/** Downloads a URL into a file. */
export async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok || response.body === null) throw new CommandRefusedError(`GET ${url} returned ${response.status}`)
  await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), createWriteStream(path))
}

function createClient({ baseUrl, apiKey }: LocalFile) {
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'x-api-key': apiKey ?? '', 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new CommandRefusedError(`No response from ${baseUrl}: is npm start still running?`)
    })
    if (response.status >= 400)
      throw new CommandRefusedError(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    return response
  }
  const json = async <T>(...args: Parameters<typeof send>) => (await send(...args)).json() as Promise<T>
  return { send, json, baseUrl }
}

async function readLocal(dataDir: string): Promise<LocalFile> {
  const text = await readFile(join(dataDir, 'local.json'), 'utf8').catch(() => undefined)
  if (text === undefined) throw new CommandRefusedError('Backline is not running: run npm start in another terminal.')
  return JSON.parse(text) as LocalFile
}
