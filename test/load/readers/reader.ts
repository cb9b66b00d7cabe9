import { request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A reader of a stream with a separate socket. It reads nothing until a method is called. */
export type RawReader = {
  status: number
  headers: IncomingMessage['headers']
  /** Reads at most this number of bytes at each interval until the response ends. Returns the text. */
  readSlowly(bytes: number, everyMs: number): Promise<string>
  /** Reads until the response ends or breaks. Returns the text. */
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
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  const chunks: Buffer[] = []
  const joinText = (): string => Buffer.concat(chunks).toString('utf8')
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    readSlowly: async (bytes, everyMs) => {
      const readerClosed = new AbortController()
      void closed.then(() => readerClosed.abort())
      while (!readerClosed.signal.aborted) {
        const chunk = response.read(Math.min(bytes, response.readableLength || bytes)) as Buffer | null
        if (chunk !== null) chunks.push(chunk)
        await pause(everyMs)
      }
      return joinText()
    },
    readToEnd: async () => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      await closed
      return joinText()
    },
    close,
  }
}

/** Parses the frames of a stream's text. An incomplete last frame is omitted. */
export const parseFrames = (text: string): { index: number; body: string }[] =>
  [...text.matchAll(/id: (\d+)\ndata: (.*)\n\n/g)].map(([, index, body]) => ({
    index: Number(index),
    body: body ?? '',
  }))

export const parseIndexes = (text: string): number[] => parseFrames(text).map(({ index }) => index)

export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
