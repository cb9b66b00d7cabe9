import type { Browser } from 'playwright-core'
import { measureSpread, median, quantile, type Bench, type Row } from '../measure.ts'
import { poll } from '../runs/recovery.ts'
import { planText, type Plan } from '../stack/plan.ts'
import type { Stack } from '../stack/stack.ts'
import { launchBrowser, openPage, slowdown, type OpenPage } from './open.ts'
import { viewRepeatedly } from './site.ts'

/** A frame longer than this is noticed as a stutter. */
const longFrameMs = 50
const streamed: Plan = { tokens: 2000, perSecond: 200 }
const long: Plan = { tokens: 10_000, perSecond: 1000 }

/** The console in a browser: its first load, a fast answer, and the memory of a long one. */
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
      how: 'all bytes that an unused browser receives for the sign-in page, compressed with gzip',
    },
    {
      name: `largest contentful paint, CPU ${slowdown}x slower`,
      ...measureSpread(views.map(({ lcpMs }) => lcpMs)),
      unit: 'ms',
      how: 'of the same page, from the start of the navigation, without a network between',
      detail: `a text of a few bytes ${median(control.map(({ lcpMs }) => lcpMs)).toFixed(0)} ms`,
    },
  ]
}

async function measureFrames(browser: Browser, stack: Stack, rounds: number): Promise<Row[]> {
  const idle: number[][] = []
  const busy: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const chat = await openChatPage(browser, stack)
    idle.push(await recordFrames(chat, () => chat.page.waitForTimeout(2000)))
    busy.push(await recordFrames(chat, () => chat.send(streamed)))
    await chat.close()
  }
  return [
    {
      name: `frames over ${longFrameMs} ms while ${streamed.perSecond} tokens/s stream`,
      ...measureSpread(busy.map(countLong)),
      unit: 'frames',
      how: `between animation frames of a chat, from sending a message to the end of an answer of ${streamed.tokens} tokens`,
      detail: `of ${median(busy.map(({ length }) => length)).toFixed(0)} frames; in two idle seconds before ${median(idle.map(countLong))}`,
    },
    {
      name: `frame while ${streamed.perSecond} tokens/s stream, p99`,
      ...measureSpread(busy.map(p99)),
      unit: 'ms',
      how: 'of the same frames',
      detail: `idle ${median(idle.map(p99)).toFixed(1)} ms`,
    },
  ]
}

function countLong(frames: readonly number[]): number {
  return frames.filter((ms) => ms > longFrameMs).length
}

function p99(frames: readonly number[]): number {
  return quantile(frames, 0.99)
}

async function measureHeap(browser: Browser, stack: Stack, rounds: number): Promise<Row> {
  const grown: number[] = []
  for (let round = 0; round < rounds; round++) {
    const chat = await openChatPage(browser, stack)
    // The first answer loads what every answer needs.
    await chat.send({ tokens: 10, perSecond: 0 })
    const before = await readHeap(chat)
    await chat.send(long)
    grown.push((await readHeap(chat)) - before)
    await chat.close()
  }
  return {
    name: `heap that an answer of ${long.tokens.toLocaleString('en')} tokens takes`,
    ...measureSpread(grown),
    unit: 'MB',
    how: 'live JavaScript heap of the page after a collection, less what it was after an answer of ten tokens',
  }
}

type ChatPage = OpenPage & { send: (plan: Plan) => Promise<void> }

/** A chat of the console, signed in with a key. `send` waits for the end of the turn and of the drawing. */
async function openChatPage(browser: Browser, stack: Stack): Promise<ChatPage> {
  const { account, sessionId, chatId } = await stack.openChat()
  const opened = await openPage(browser)
  const { page } = opened
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
    ...opened,
    send: async (plan) => {
      await message.fill(planText(plan))
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

/** Milliseconds between the animation frames during `work`. */
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

/** Megabytes of the live heap. */
async function readHeap({ devtools }: OpenPage): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}
