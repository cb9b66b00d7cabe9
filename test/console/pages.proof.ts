import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatApiOf } from '../chat/chat-api.ts'
import { fillChat, giveWorkspace, say } from '../world/session-rows.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { goWithin, launchBrowser, openConsole, sendMessage, signInByKey, type OpenConsole } from './browser.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const small = { width: 320, height: 640 }

let world: World
let browser: Browser | undefined
let owner: TestAccount
/** Each page with a text that is there once it is drawn. */
let pages: [path: string, shows: string][]

beforeAll(async () => {
  browser = await launchBrowser()
  if (browser === undefined) return
  world = await createWorld({ settings: { CONSOLE: 'on' } })
  owner = await world.makeAccount({ credits: 10_000_000 })
  pages = await fillAccount()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
})
beforeEach(({ skip }) => {
  if (browser === undefined) skip('there is no Chromium')
})

const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await world.request(method, path, { key: owner.key, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body as T
}

/** Something for every page to show. */
const fillAccount = async (): Promise<[string, string][]> => {
  await giveWorkspace(world.db, owner.id)
  const { artist } = await ask<{ artist: { account_id: string } }>('POST', '/api/artists', { name: 'Nina Harlow' })
  const id = artist.account_id
  await ask('PATCH', `/api/artists/${id}`, { profileUrls: { TIKTOK: 'https://www.tiktok.com/@nina' } })
  const scrape = await ask<{ runId: string }>('POST', '/api/artist/socials/scrape', { artist_account_id: id, posts: 5 })
  const valued = await ask<{ catalog: { id: string } }>('POST', '/api/valuation', { streaming_artist_id: 'releases2' })
  const { tasks } = await ask<{ tasks: { id: string }[] }>('POST', '/api/tasks', {
    title: 'Weekly report',
    prompt: 'Sum up.',
    schedule: '0 9 * * 1',
    timezone: 'Europe/Berlin',
    artist_account_id: id,
  })
  const { project } = await ask<{ project: { id: string } }>('POST', '/api/projects', { name: 'Spring single' })
  await ask('POST', `/api/projects/${project.id}/tasks`, { title: 'Book the studio' })
  await ask('POST', '/api/agents/templates', {
    title: 'Plan',
    description: 'Plans a release',
    prompt: 'Plan the release backwards.',
  })
  await ask('POST', '/api/organizations', { name: 'Harbor Records' })
  const chat = await chatApiOf(world).openTalk(owner)
  await fillChat(world.db, chat.chatId, [say('Hello'), say('**Hello** and `code`\n\n- one\n- two', 'assistant')])
  await eventually('the end of every run', async () => {
    const { runs } = await ask<{ runs: unknown[] }>('GET', '/api/runs?status=queued,running,retrying')
    return runs.length === 0 || undefined
  })
  return [
    ['/chat', 'What shall be done?'],
    [`/chat/${chat.sessionId}/${chat.chatId}`, 'Hello and code'],
    ['/runs', 'scrape socials'],
    [`/runs/${scrape.runId}`, 'About it'],
    ['/tasks', 'Weekly report'],
    [`/tasks/${tasks[0]?.id}`, 'Next times'],
    ['/money', 'Automatic top-up'],
    ['/artists', 'Nina Harlow'],
    [`/artists/${id}`, 'What your workspace knows'],
    ['/catalogs', 'Worth'],
    [`/catalogs/${valued.catalog.id}`, 'What it may be worth'],
    ['/valuation', 'How it is computed'],
    ['/scraping', 'Scrape an artist'],
    [`/scraping/${scrape.runId}`, 'Posts'],
    ['/music', 'Make a track'],
    ['/templates', 'Plans a release'],
    ['/projects', 'Spring single'],
    [`/projects/${project.id}`, 'Book the studio'],
    ['/keys', 'Make a key'],
    ['/organizations', 'Harbor Records'],
    ['/sandboxes', 'Of sessions'],
    ['/nowhere', 'There is no such page'],
  ]
}

const faultsOf = async ({ page }: OpenConsole): Promise<unknown[]> => {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  test('every page is accessible, fits 320 pixels and asks nobody else', async () => {
    const opened = await openConsole(browser!, world.baseUrl, { colorScheme, viewport: small })
    const { page, faults, context } = opened
    await page.goto(`${world.baseUrl}/console/chat`)
    await page.locator('input[name=key]').waitFor()
    expect(await faultsOf(opened)).toEqual([])
    await signInByKey(page, owner.key)
    for (const [path, shown] of pages) {
      await goWithin(page, path)
      await page.locator('main', { hasText: shown }).waitFor()
      for (const summary of await page.locator('details.fold > summary').all()) await summary.click()
      expect([path, await faultsOf(opened)]).toEqual([path, []])
      const widths = "[document.documentElement.scrollWidth, document.querySelector('main').scrollWidth]"
      for (const width of await page.evaluate<number[]>(widths)) expect([path, width]).toEqual([path, small.width])
    }
    expect(faults).toEqual([])
    await context.close()
  })
})

test('a newcomer chats, watches the run, schedules a task and values an artist', async () => {
  const { page, context, faults } = await openConsole(browser!, world.baseUrl)
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
  const follow = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click()
  const newcomer = await world.makeAccount({ credits: 10_000_000 })
  await page.goto(`${world.baseUrl}/console`)
  await signInByKey(page, newcomer.key)
  await sendMessage(page, '$ echo hello')
  await page.locator('.tool', { hasText: 'hello' }).waitFor()
  await page.locator('.usage a').click()
  await page.locator('.timeline', { hasText: 'Step 1: model call' }).waitFor()
  await follow('Artists')
  await page.getByText('Add an artist', { exact: true }).click()
  await page.getByLabel('Name').fill('Nina Harlow')
  await press('Add')
  await page.getByRole('heading', { name: 'Nina Harlow' }).waitFor()
  await follow('Tasks')
  await page.getByText('New task', { exact: true }).click()
  await page.getByLabel('Title').fill('Daily look')
  await page.getByLabel('What the agent is told').fill('Look.')
  await press('Every Monday at 9')
  expect(await page.getByText('At 09:00 AM, only on Monday').count()).toBe(1)
  expect(await page.locator('.times li').count()).toBe(10)
  await press('Schedule it')
  await page.getByRole('heading', { name: 'Daily look' }).waitFor()
  await press('Run now')
  await page.locator('.figures', { hasText: 'completed' }).waitFor()
  await follow('Valuation')
  await page.getByLabel('Artist: id').fill('releases1')
  await press('Value this artist')
  await page.locator('.band figcaption').waitFor()
  expect(faults).toEqual([])
  await context.close()
})

test('a page says that it is empty, that it was refused, and that nobody is reached', async () => {
  const { page, context } = await openConsole(browser!, world.baseUrl)
  const stranger = await world.makeAccount()
  await page.goto(`${world.baseUrl}/console/projects`)
  await signInByKey(page, stranger.key)
  await page.getByText('No project yet.').waitFor()
  await goWithin(page, `/runs/wrun_00000000000000000000000000`)
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await goWithin(page, '/artists')
  await page.getByText('No artist yet.').waitFor()
  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await context.close()
})

test('the first view is under 150 KB', async () => {
  const { page, context } = await openConsole(browser!, world.baseUrl)
  await page.goto(`${world.baseUrl}/console/chat`)
  await signInByKey(page, owner.key)
  await page.getByText('What shall be done?').waitFor()
  const first = await sentBytes(page)
  expect(first).toBeGreaterThan(50_000)
  expect(first).toBeLessThan(150_000)
  await context.close()
})

/** Over plain HTTP Chromium asks for gzip, which is a tenth larger than what it gets over TLS. */
const sentBytes = (page: Page): Promise<number> =>
  page.evaluate<number>(
    "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((sum, one) => sum + one.transferSize, 0)",
  )
