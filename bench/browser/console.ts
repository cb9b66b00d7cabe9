import type { Browser } from 'playwright-core'
import { measureSpread, median, quantile, type Bench, type Row } from '../measure.ts'
import { poll } from '../runs/recovery.ts'
import { encodePlan, type Plan } from '../stack/plan.ts'
import type { Stack } from '../stack/stack.ts'
import { launchBrowser, openPage, phoneSlowdown, type OpenPage } from './open.ts'
import { viewRepeatedly } from './site.ts'

/** A frame that takes longer is counted as a stutter. */
const longFrameMs = 50
const fastAnswer: Plan = { tokens: 2000, perSecond: 200 }
const longAnswer: Plan = { tokens: 10_000, perSecond: 1000 }

/** Measures the console in a browser: its first load, the frames of a fast answer, and the memory of a long answer. */
export const consolePage: Bench = {
  name: 'console',
  run: async (stack, { quick }) => {
    const browser = await launchBrowser(stack.say)
    try {
      const rounds = quick ? 1 : 5
      return [
        ...(await measureLoads(browser, stack, rounds)),
        ...(await measureFrames(browser, stack, rounds)),
        await measureHeap(browser, stack, rounds),
      ]
    } finally {
      await browser.close()
    }
  },
}

async function measureLoads(browser: Browser, { baseUrl }: Stack, rounds: number): Promise<Row[]> {
  const control = await viewRepeatedly(browser, `${baseUrl}/healthz`, rounds)
  const views = await viewRepeatedly(browser, `${baseUrl}/console`, rounds)
  return [
    {
      name: 'first load',
      ...measureSpread(views.map(({ kilobytes }) => kilobytes)),
      unit: 'KB',
      aim: { atMost: 250 },
      how: 'all bytes that a browser without a cache receives for the sign-in page, compressed with gzip',
    },
    {
      name: `largest contentful paint, CPU ${phoneSlowdown}x slower`,
      ...measureSpread(views.map(({ lcpMs }) => lcpMs)),
      unit: 'ms',
      aim: { atMost: 2000 },
      how: 'of the same page, from the start of the navigation, without network latency',
      detail: `control, a text of a few bytes: ${median(control.map(({ lcpMs }) => lcpMs)).toFixed(0)} ms`,
    },
  ]
}

async function measureFrames(browser: Browser, stack: Stack, rounds: number): Promise<Row[]> {
  const idle: number[][] = []
  const busy: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const chat = await openChatPage(browser, stack)
    idle.push(await recordFrames(chat, () => chat.page.waitForTimeout(2000)))
    busy.push(await recordFrames(chat, () => chat.send(fastAnswer)))
    await chat.close()
  }
  return [
    {
      name: `frames over ${longFrameMs} ms while ${fastAnswer.perSecond} tokens/s stream`,
      ...measureSpread(busy.map(countLongFrames)),
      unit: 'frames',
      aim: { atMost: 20 },
      how: `time between animation frames of a chat, from the submission of a message to the end of an answer of ${fastAnswer.tokens} tokens`,
      detail: `of ${median(busy.map(({ length }) => length)).toFixed(0)} frames; ${median(idle.map(countLongFrames))} in two idle seconds before the answer`,
    },
    {
      name: `frame time while ${fastAnswer.perSecond} tokens/s stream, p99`,
      ...measureSpread(busy.map(p99)),
      unit: 'ms',
      aim: { atMost: 70 },
      how: 'of the same frames',
      detail: `idle ${median(idle.map(p99)).toFixed(1)} ms`,
    },
  ]
}

function countLongFrames(frames: readonly number[]): number {
  return frames.filter((ms) => ms > longFrameMs).length
}

function p99(frames: readonly number[]): number {
  return quantile(frames, 0.99)
}

async function measureHeap(browser: Browser, stack: Stack, rounds: number): Promise<Row> {
  const heapGrowth: number[] = []
  for (let round = 0; round < rounds; round++) {
    const chat = await openChatPage(browser, stack)
    // The first answer loads the code that every answer uses.
    await chat.send({ tokens: 10, perSecond: 0 })
    const before = await readHeap(chat)
    await chat.send(longAnswer)
    heapGrowth.push((await readHeap(chat)) - before)
    await chat.close()
  }
  return {
    name: `heap of an answer of ${longAnswer.tokens.toLocaleString('en')} tokens`,
    ...measureSpread(heapGrowth),
    unit: 'MB',
    aim: { atMost: 5 },
    how: 'live JavaScript heap of the page after a garbage collection, minus the heap after an answer of ten tokens',
  }
}

type ChatPage = OpenPage & { send: (plan: Plan) => Promise<void> }

/** Opens a chat in the console and signs in with a key. `send` waits until the turn has ended and is rendered. */
async function openChatPage(browser: Browser, stack: Stack): Promise<ChatPage> {
  const { account, sessionId, chatId } = await stack.openChat()
  const openedPage = await openPage(browser)
  const { page } = openedPage
  await page.goto(`${stack.baseUrl}/console/chat/${sessionId}/${chatId}`)
  await page.locator('input[name=key]').fill(account.key)
  await page.getByRole('button', { name: 'Use this key' }).click()
  const message = page.getByLabel('Message', { exact: true })
  await message.waitFor()
  const isIdle = async (): Promise<boolean> => {
    const [chat] = await stack.db<{ run: string | null }[]>`
      select active_stream_id as run from chats where id = ${chatId}`
    return chat?.run === null
  }
  let turns = 0
  return {
    ...openedPage,
    send: async (plan) => {
      await message.fill(encodePlan(plan))
      await page.keyboard.press('Enter')
      turns++
      await poll(
        'the end of the turn',
        async () => ((await hasTurns(stack, chatId, turns)) && (await isIdle())) || undefined,
      )
      await page
        .locator('.message.assistant .usage')
        .nth(turns - 1)
        .waitFor()
    },
  }
}

async function hasTurns({ db }: Stack, chatId: string, count: number): Promise<boolean> {
  const [row] = await db<{ turns: number }[]>`
    select count(*)::int as turns from chat_messages where chat_id = ${chatId} and role = 'assistant'`
  return (row?.turns ?? 0) >= count
}

/** Returns the milliseconds between the animation frames during `work`. */
async function recordFrames({ page }: OpenPage, work: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames_ = []
    globalThis.isRecording_ = true
    const record = (before) => requestAnimationFrame((now) => {
      if (before !== undefined) frames_.push(now - before)
      if (isRecording_) record(now)
    })
    record()`)
  await work()
  return page.evaluate<number[]>('isRecording_ = false, frames_')
}

/** Returns the size of the live heap in megabytes. */
async function readHeap({ devtools }: OpenPage): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}
