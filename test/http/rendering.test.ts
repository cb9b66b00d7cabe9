import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFairQueue } from '../../api/http/limits/fair-queue.ts'
import { createPool } from '../../api/http/limits/shares.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { createRenderer, type Renderer } from '../../api/rendering/renderer.ts'
import { renderMail } from '../../domain/mail/render.ts'

const metrics = createMetrics()
const options = { config: { LIMIT_SHARE_PERCENT: 25 }, metrics }

let renderer: Renderer
beforeAll(() => {
  renderer = createRenderer(options)
})
afterAll(() => renderer.close())

const long = { text: 'Some *words* with `code`, [a link](https://x.example) and **more**.\n\n'.repeat(1000) }

test('rendering an email does not block the event loop', async () => {
  await renderer.mail('a', { text: 'a' })
  const rendering = renderer.mail('a', long)
  let turns = 0
  while ((await Promise.race([rendering.then(() => 'ended'), sleep(1, 'turn')])) === 'turn') turns++
  // In the main thread, rendering would end within the first turn of the event loop.
  expect(turns).toBeGreaterThan(1)
  expect(await rendering).toEqual(renderMail(long))
})

test('parsing a stored email does not block the event loop', async () => {
  const raw = Buffer.from(`Subject: Lines\r\nContent-Type: text/plain\r\n\r\n${'a\n'.repeat(20_000)}`)
  const reading = renderer.message('inbox', raw)
  let turns = 0
  while ((await Promise.race([reading.then(() => 'ended'), sleep(1, 'turn')])) === 'turn') turns++
  expect(turns).toBeGreaterThan(1)
  expect(await reading).toMatchObject({ subject: 'Lines', text: 'a\n'.repeat(20_000) })
})

test('concurrent emails are all rendered', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => `Mail **${n}**`)
  const mails = await Promise.all(texts.map((text) => renderer.mail('a', { text })))
  expect(mails.map(({ subject, html }) => [subject, /<strong>(\d+)</.exec(html)?.[1]])).toEqual(
    texts.map((text, n) => [text, String(n)]),
  )
})

test('an email that takes too long to render is rejected, and another email is rendered', async () => {
  const timedOut = createRenderer({ ...options, timeoutMs: 1 })
  try {
    await expect(timedOut.mail('a', long)).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  } finally {
    await timedOut.close()
  }
  expect((await renderer.mail('a', { text: 'next' })).subject).toBe('next')
})

/** Creates a fair queue. Its work ends only when the test ends it, and `started` lists the work in start order. */
const createQueue = (concurrency: number, { max = 100, sharePercent = 100 } = {}) => {
  const pool = createPool({ name: 'work', max, sharePercent, refusals: metrics.refusals })
  const queue = createFairQueue({ concurrency, pool })
  const started: { holder: string; end: () => void; fail: () => void }[] = []
  const run = (holder: string): Promise<string> =>
    queue.run(
      holder,
      () =>
        new Promise((resolve, reject) => {
          started.push({ holder, end: () => resolve(holder), fail: () => reject(new Error('failed')) })
        }),
    )
  const endAll = async (): Promise<void> => {
    for (let index = 0; index === 0 || index < started.length; index++) {
      await sleep(0)
      started[index]?.end()
      await sleep(0)
    }
  }
  return { run, started, pool, endAll, listHolders: () => started.map(({ holder }) => holder) }
}

describe('a fair queue', () => {
  test('reserves a slot for other holders, even if one holder has a high load', async () => {
    const { run, started, listHolders, endAll } = createQueue(2)
    const all = Promise.all([run('a'), run('a'), run('a'), run('b')])
    await sleep(0)
    expect(listHolders()).toEqual(['a', 'b'])
    started[1]?.end()
    await sleep(0)
    expect(listHolders()).toEqual(['a', 'b'])
    await endAll()
    expect(listHolders()).toEqual(['a', 'b', 'a', 'a'])
    expect(await all).toEqual(['a', 'a', 'a', 'b'])
  })

  test('serves holders by round robin, regardless of how much work each of them has queued', async () => {
    const { run, listHolders, pool, endAll } = createQueue(1)
    const all = Promise.all(['a', 'a', 'a', 'b', 'c', 'b'].map(run))
    await endAll()
    await all
    expect(listHolders()).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
    expect(pool.taken).toBe(0)
  })

  test('continues with other work after work that fails', async () => {
    const { run, started, listHolders, endAll } = createQueue(2)
    const failed = run('a')
    const others = Promise.all([run('a'), run('b'), run('b')])
    await sleep(0)
    started[0]?.fail()
    await expect(failed).rejects.toThrow('failed')
    await endAll()
    expect(await others).toEqual(['a', 'b', 'b'])
    expect(listHolders().toSorted()).toEqual(['a', 'a', 'b', 'b'])
  })

  test('rejects a holder above its share with 429, and every holder with 503 if the pool is full', async () => {
    const { run, endAll } = createQueue(1, { max: 4, sharePercent: 50 })
    const accepted = [run('a'), run('a')]
    await expect(run('a')).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    accepted.push(run('b'), run('c'))
    await expect(run('d')).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    await endAll()
    await Promise.all(accepted)
  })
})
