import { request } from 'node:http'
import { handleRequests } from './child-process.ts'
import { quantile } from '../measure.ts'
import { clockMicroseconds, createStampReader } from '../stack/plan.ts'
import type { Post, Reading, ReadPlan } from './reader.ts'

type Token = { sentAt: number; delay: number }

/** Reads one stream until it ends or the time limit is reached. Returns each timestamp with its delay, in microseconds. */
function readStream({ url, headers, body }: Post, limitMs: number): Promise<Token[]> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const tokens: Token[] = []
    const read = createStampReader((sentAt) => tokens.push({ sentAt, delay: clockMicroseconds() - sentAt }))
    const clientRequest = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
        response.setEncoding('latin1').on('data', read)
        response.on('end', () => resolve(tokens))
        response.on('error', reject)
      },
    )
    clientRequest.on('error', reject)
    clientRequest.end(text)
    setTimeout(() => {
      resolve(tokens)
      clientRequest.destroy()
    }, limitMs).unref()
  })
}

/** Tokens sent less than this time after the last stream has begun, or before the first stream ends, are not measured. */
const settleMs = 500

/**
 * Returns the figures of the tokens sent while all streams were active and none was beginning or ending. Only in a benchmark do
 * all streams begin and end simultaneously. Without such a period, the delays are those of all tokens, and `perSecond` and
 * `seconds` are meaningless.
 */
function summarize(streams: Token[][], expected: number): Reading {
  const allTokens = streams.flat()
  const begin = Math.max(...streams.map((tokens) => tokens[0]?.sentAt ?? Number.NaN)) + settleMs * 1000
  const end = Math.min(...streams.map((tokens) => tokens.at(-1)?.sentAt ?? Number.NaN)) - settleMs * 1000
  const steadyTokens = allTokens.filter(({ sentAt }) => sentAt >= begin && sentAt <= end)
  const delays = (steadyTokens.length > 0 ? steadyTokens : allTokens).map(({ delay }) => delay / 1000)
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    perSecond: steadyTokens.length / ((end - begin) / 1e6),
    whole: streams.every((tokens) => tokens.length === expected),
    seconds: (end - begin) / 1e6,
    tokens: allTokens.length,
  }
}

handleRequests(async ({ posts, tokens, limitMs }: ReadPlan): Promise<Reading> => {
  return summarize(await Promise.all(posts.map((post) => readStream(post, limitMs))), tokens)
})
