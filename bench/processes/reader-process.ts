import { request } from 'node:http'
import { answerQuestions } from './child-process.ts'
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
    const sent = request(
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
    sent.on('error', reject)
    sent.end(text)
    setTimeout(() => {
      resolve(tokens)
      sent.destroy()
    }, limitMs).unref()
  })
}

const settleMs = 500

/** Summarizes the time in which all streams were flowing, or all tokens if there was no such time. */
function summarize(streams: Token[][], wanted: number): Reading {
  const all = streams.flat()
  const begin = Math.max(...streams.map((tokens) => tokens[0]?.sentAt ?? Number.NaN)) + settleMs * 1000
  const end = Math.min(...streams.map((tokens) => tokens.at(-1)?.sentAt ?? Number.NaN))
  const flowing = all.filter(({ sentAt }) => sentAt >= begin && sentAt <= end)
  const delays = (flowing.length > 0 ? flowing : all).map(({ delay }) => delay / 1000)
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    perSecond: flowing.length / ((end - begin) / 1e6),
    whole: streams.every((tokens) => tokens.length === wanted),
    seconds: (end - begin) / 1e6,
    tokens: all.length,
  }
}

answerQuestions(async ({ posts, tokens, limitMs }: ReadPlan): Promise<Reading> => {
  return summarize(await Promise.all(posts.map((post) => readStream(post, limitMs))), tokens)
})
