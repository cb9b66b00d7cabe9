import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { answerQuestions } from './child-process.ts'
import { quantile } from '../measure.ts'
import { clockMicroseconds, createStampReader, planText } from '../stack/plan.ts'
import type { ReadPlan, Reading } from './reader.ts'

type Token = { sentAt: number; delay: number }

/** Reads one stream to its end: every stamp with its delay, in microseconds. */
function readStream(url: string, headers: Record<string, string>, body: object): Promise<Token[]> {
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
  })
}

const settleMs = 500

/** Figures of the time in which all streams were flowing. */
function summarize(streams: Token[][], plan: ReadPlan['plan']): Reading {
  const begin = Math.max(...streams.map((tokens) => tokens[0]?.sentAt ?? Number.NaN)) + settleMs * 1000
  const end = Math.min(...streams.map((tokens) => tokens.at(-1)?.sentAt ?? Number.NaN))
  const counted = streams.flat().filter(({ sentAt }) => sentAt >= begin && sentAt <= end)
  const delays = counted.map(({ delay }) => delay / 1000)
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    perSecond: counted.length / ((end - begin) / 1e6),
    whole: streams.every((tokens) => tokens.length === plan.tokens),
    seconds: (end - begin) / 1e6,
  }
}

answerQuestions(async ({ url, plan, targets }: ReadPlan): Promise<Reading> => {
  const content = planText(plan)
  const streams = await Promise.all(
    targets === 'model'
      ? Array.from({ length: plan.streams }, () =>
          readStream(`${url}/chat/completions`, {}, { stream: true, messages: [{ role: 'user', content }] }),
        )
      : targets.map(({ account, sessionId, chatId }) =>
          readStream(
            `${url}/api/chat`,
            { 'x-api-key': account.key },
            { sessionId, chatId, messages: [{ id: randomUUID(), role: 'user', content }] },
          ),
        ),
  )
  return summarize(streams, plan)
})
