import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'
import { startWorkerInProcess } from '../crash/processes.ts'
import { eventually } from '../world/world.ts'
import { openPath, openConsole, signInByKey, type OpenConsole } from './browser.ts'
import { address, browser, useConsoleWorld, world } from './console-world.ts'

let chatApi: ReturnType<typeof createChatApi>
let opened: OpenConsole
let page: Page

useConsoleWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' }, worker: false })
beforeAll(() => {
  chatApi = createChatApi(world)
})
afterEach(() => opened?.context.close())

const open = async (path: string, key: string, viewport = { width: 1440, height: 900 }): Promise<void> => {
  opened = await openConsole(browser, address, { viewport })
  page = opened.page
  await page.goto(`${address}/console${path}`)
  await signInByKey(page, key)
}

const listViolations = async (): Promise<string[]> =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)

/** Runs a turn in the chat to its end. Returns the id of the run. */
const runTurn = async (chat: OpenChat, prompt: string): Promise<string> => {
  const started = await world.request<{ runId: string }>('POST', '/api/chat/runs', {
    key: chat.account.key,
    body: { chatId: chat.chatId, prompt },
  })
  await eventually('the end of the run', async () => {
    const [run] = await world.db`select 1 from runs where id = ${started.body.runId} and ended_at is not null`
    return run
  })
  return started.body.runId
}

test('a step or a tool call opens next to the timeline, which shows long texts in parts and copies all of a text', async () => {
  const worker = await startWorkerInProcess(world)
  const chat = await chatApi.openChat()
  const runId = await runTurn(chat, '$ seq 1 9000\n---\n@say counted')
  await open(`/runs/${runId}`, chat.account.key)
  await page.locator('.axis .tick').nth(1).waitFor()
  await page.locator('.command', { hasText: 'seq 1 9000' }).waitFor()
  await page.getByRole('button', { name: 'Step 2: model call' }).click()
  const panel = page.getByRole('region', { name: 'Step 2: model call' })
  await panel.getByRole('region', { name: 'Answer' }).getByText('counted').waitFor()
  await panel.getByRole('region', { name: 'Added to the prompt' }).waitFor()
  for (const fact of ['Time to first output', 'Input tokens', 'Output tokens', 'Attempt'])
    await panel.getByText(fact, { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('entry')).toBe(`${runId}/step:1`)
  await page.getByRole('button', { name: 'bash' }).click()
  const call = page.getByRole('region', { name: 'bash', exact: true })
  await call.getByRole('button', { name: /^Show more: 20,000 of/ }).waitFor()
  expect(await listViolations()).toEqual([])
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await call.getByRole('button', { name: 'Copy: Output' }).click()
  await page.getByText('Copied.').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect((JSON.parse(copied) as { stdout: string }).stdout).toContain('9000')
  await call.getByRole('button', { name: /^Show more/ }).click()
  await call.getByText('9000').first().waitFor()
  await page.keyboard.press('Escape')
  await call.waitFor({ state: 'detached' })
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('the timeline of a task contains the steps of its turn with their texts', async () => {
  const worker = await startWorkerInProcess(world)
  const account = await world.makeAccount({ credits: 10_000_000 })
  const artist = await world.makeArtist({ rosterOf: account.id })
  const task = { title: 'T', prompt: '@say of-the-task', schedule: '0 0 1 1 *', artist_account_id: artist.id }
  const { body } = await world.request<{ tasks: { id: string }[] }>('POST', '/api/tasks', {
    key: account.key,
    body: task,
  })
  const started = await world.request<{ runId: string }>('POST', '/api/tasks/runs', {
    key: account.key,
    body: { id: body.tasks[0]?.id },
  })
  await open(`/runs/${started.body.runId}`, account.key, { width: 390, height: 800 })
  await page.getByRole('button', { name: 'Step 1: model call' }).click()
  await page.getByRole('region', { name: 'Answer' }).getByText('of-the-task').waitFor()
  expect(await listViolations()).toEqual([])
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Waited for a run').waitFor()
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('runs are counted by status, refreshed by one poll, and cancelled and repeated in bulk', async () => {
  const worker = await startWorkerInProcess(world)
  const first = await chatApi.openChat()
  const second = await chatApi.openChatIn(first)
  await runTurn(first, '@say done')
  await open('/runs', first.account.key)
  const status = (name: string) => page.getByRole('group', { name: 'Runs by status' }).getByRole('button', { name })
  await status('1 completed').waitFor()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  for (const chat of [first, second])
    await world.request('POST', '/api/chat/runs', {
      key: first.account.key,
      body: { chatId: chat.chatId, prompt: '@words 4000' },
    })
  const rows = page.locator('main tbody tr')
  await rows.filter({ hasText: 'running' }).nth(1).waitFor()
  await status('2 running').waitFor()
  await page.getByLabel('Select all runs').check()
  const bulk = page.getByRole('group', { name: 'Selected runs' })
  await bulk.getByText('3 runs selected').waitFor()
  expect(await listViolations()).toEqual([])
  await bulk.getByRole('button', { name: 'Cancel runs' }).click()
  await page.getByRole('dialog').getByText('Cancel 2 runs?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel runs' }).click()
  await page.getByText('2 runs cancelled.').waitFor()
  await status('2 cancelled').click()
  await rows.nth(1).waitFor()
  await page.getByLabel('Select all runs').check()
  await bulk.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
  await page.getByText('2 runs started again.').waitFor()
  await status('all').click()
  await rows.nth(4).waitFor()
  expect(requests.filter((path) => path === '/api/runs').length).toBeGreaterThan(0)
  expect(opened.errors).toEqual([])
  await worker.stop()
})

test('a list of many pages is refreshed without loading its later pages, also after going back', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id, created_at, ended_at)
    select 'wrun_many' || n, ${chat.account.id}, gen_random_uuid(), gen_random_uuid(), 'a', 'completed', 'api', 'local/assistant',
      now() - make_interval(mins => n), now() - make_interval(mins => n)
    from generate_series(1, 220) as n`
  await open('/runs', chat.account.key)
  const rows = page.locator('main tbody tr')
  for (let count = 50; count <= 200; count += 50) {
    await rows.nth(count - 1).waitFor()
    if (count < 200) await page.getByRole('button', { name: 'Show more' }).click()
  }
  const requests: URL[] = []
  page.on('request', (request) => requests.push(new URL(request.url())))
  const polls = () => requests.filter(({ pathname }) => pathname === '/api/runs')
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id, created_at, ended_at)
    values ('wrun_newest', ${chat.account.id}, gen_random_uuid(), gen_random_uuid(), 'a', 'failed', 'api', 'local/assistant', now(), now())`
  await rows.filter({ hasText: 'failed' }).waitFor()
  expect(await rows.count()).toBe(201)
  expect(polls().every(({ searchParams }) => !searchParams.has('cursor'))).toBe(true)
  await openPath(page, '/tasks')
  await page.getByText('No tasks yet.').waitFor()
  await page.goBack()
  await rows.nth(200).waitFor()
  expect(polls().every(({ searchParams }) => !searchParams.has('cursor'))).toBe(true)
})
