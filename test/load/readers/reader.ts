import { request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** One reader of a stream over a socket of its own. It reads nothing until a method is called. */
export type RawReader = {
  status: number
  headers: IncomingMessage['headers']
  /** Takes at most so many bytes every so often, until the response ends; returns the text it took. */
  readSlowly(bytes: number, everyMs: number): Promise<string>
  /** Takes what comes; returns the whole text when the response ends or breaks. */
  readToEnd(): Promise<string>
  close(): void
}

const waitForResponse = (url: string, headers: Record<string, string>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false, headers }, resolve)
    outgoing.once('error', reject)
    outgoing.end()
  })

export const openReader = async (
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<RawReader> => {
  const response = await waitForResponse(url, { 'x-api-key': key, ...headers })
  response.on('error', () => {})
  const close = (): void => void response.destroy()
  onTestFinished(close)
  const ended = new Promise<void>((resolve) => response.once('close', resolve))
  const taken: Buffer[] = []
  const text = (): string => Buffer.concat(taken).toString('utf8')
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    readSlowly: async (bytes, everyMs) => {
      const over = new AbortController()
      void ended.then(() => over.abort())
      while (!over.signal.aborted) {
        const piece = response.read(Math.min(bytes, response.readableLength || bytes)) as Buffer | null
        if (piece !== null) taken.push(piece)
        await pause(everyMs)
      }
      return text()
    },
    readToEnd: async () => {
      response.on('data', (piece: Buffer) => taken.push(piece))
      await ended
      return text()
    },
    close,
  }
}

/** The frames of a stream's text: index and body. What a cut left of the last one is no frame. */
export const framesIn = (text: string): { index: number; body: string }[] =>
  [...text.matchAll(/id: (\d+)\ndata: (.*)\n\n/g)].map(([, index, body]) => ({
    index: Number(index),
    body: body ?? '',
  }))

export const indexesIn = (text: string): number[] => framesIn(text).map(({ index }) => index)

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place)
