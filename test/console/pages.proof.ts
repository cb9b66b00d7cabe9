import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { join } from 'node:path'
import { developmentToken } from '../../providers/identity/development-token.ts'
import { createContentApi, picture, smallClips, song } from '../content/content-api.ts'
import { creditAccount } from '../../db/credits/ledger.ts'
import { adminOrganization, fillAccount, hostile, insertHostileVideo } from './account.ts'
import { listAccessibilityFaults } from '../world/accessibility.ts'
import { eventually, type TestAccount } from '../world/world.ts'
import { openPath, openConsole, sendMessage, signInByKey } from './browser.ts'
import { address, browser, useConsoleWorld, world } from './console-world.ts'

/** Folder of screenshots for visual review. */
const pictures = process.env['PICTURES']
const smallScreen = { width: 320, height: 640 }

let owner: TestAccount
/** The path of each page and a text that the rendered page contains. */
let pages: [path: string, shows: string][]

useConsoleWorld({ settings: { ADMIN_ORGANIZATION_ID: adminOrganization, ...smallClips } })
beforeAll(async () => {
  owner = await world.makeAccount({ credits: 10_000_000 })
  pages = await fillAccount(world, owner)
}, 600_000)
afterEach(async ({ task }) => {
  // A failed test leaves its contexts open.
  for (const context of browser.contexts()) {
    for (const [index, page] of context.pages().entries())
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `failed-${task.name}-${index}.png`) })
    await context.close()
  }
})

const { makeArtist, makeRepository } = createContentApi(() => world)

const scrollTo = (page: Page, top: number): Promise<unknown> =>
  page.evaluate(`document.querySelector('main').scrollTop = ${top}`)

const readScrollTop = (page: Page): Promise<number> => page.evaluate<number>("document.querySelector('main').scrollTop")

/** Saves screenshots of the page on a small and a wide screen if PICTURES is set. */
const takePicture = async (page: Page, name: string): Promise<void> => {
  if (pictures === undefined) return
  const buildPath = (width: number) => join(pictures, `${name.replaceAll('/', '_')}-${width}.png`)
  await scrollTo(page, 0)
  await page.screenshot({ path: buildPath(smallScreen.width) })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.screenshot({ path: buildPath(1280) })
  await page.setViewportSize(smallScreen)
}

describe.each(['light', 'dark'] as const)('in the %s color scheme', (colorScheme) => {
  test('every page is accessible, fits a width of 320 pixels and loads nothing from other hosts', async () => {
    const { page, errors, context } = await openConsole(browser, address, { colorScheme, viewport: smallScreen })
    await page.goto(`${address}/console/chat`)
    await page.locator('input[name=key]').waitFor()
    expect(await listAccessibilityFaults(page, colorScheme)).toEqual([])
    await signInByKey(page, owner.key)
    for (const [path, shown] of pages) {
      await openPath(page, path)
      await page.locator('main', { hasText: shown }).waitFor()
      for (const summary of await page.locator('details.fold > summary').all()) await summary.click()
      expect([path, await listAccessibilityFaults(page, colorScheme)]).toEqual([path, []])
      const widths = "[document.documentElement.scrollWidth, document.querySelector('main').scrollWidth]"
      for (const width of await page.evaluate<number[]>(widths))
        expect([path, width]).toEqual([path, smallScreen.width])
      await takePicture(page, `${colorScheme}${path}`)
    }
    expect(errors).toEqual([])
    await context.close()
  })
})

test('a new user chats, follows the run, schedules a task and runs a valuation', async () => {
  const { page, context, errors } = await openConsole(browser, address)
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
  const follow = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click()
  const user = await world.makeAccount({ credits: 10_000_000 })
  await page.goto(`${address}/console`)
  await signInByKey(page, user.key)
  await sendMessage(page, '$ echo hello')
  await page.locator('.tool', { hasText: 'hello' }).waitFor()
  await page.locator('.usage a').click()
  await page.locator('.timeline', { hasText: 'Step 1: model call' }).waitFor()
  await page.locator('.timeline .command', { hasText: 'echo hello' }).waitFor()
  const first = page.url()
  await press('Run again')
  await page.waitForURL((url) => url.href !== first && url.pathname.includes('/runs/'))
  const second = page.url()
  await press('Run again with changes')
  await page.getByRole('dialog').getByLabel('Prompt').fill('$ echo changed')
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForURL((url) => url.href !== second && url.pathname.includes('/runs/'))
  await page.locator('.figures', { hasText: 'completed' }).waitFor()
  await follow('Artists')
  await page.getByText('Add an artist', { exact: true }).click()
  await page.getByLabel('Name').fill('Nina Harlow')
  await press('Add')
  await page.getByRole('heading', { name: 'Nina Harlow' }).waitFor()
  await follow('Tasks')
  await page.getByText('New task', { exact: true }).click()
  await page.getByLabel('Title').fill('Daily look')
  await page.getByLabel('Prompt').fill('Look.')
  await press('Every Monday at 9')
  expect(await page.getByText('At 09:00 AM, only on Monday').count()).toBe(1)
  expect(await page.locator('.times li').count()).toBe(10)
  await press('Create task')
  await page.getByRole('heading', { name: 'Daily look' }).waitFor()
  await press('Run now')
  await page.locator('.figures', { hasText: 'completed' }).waitFor()
  await follow('Valuation')
  await page.getByRole('combobox', { name: 'Artist' }).fill('velvet')
  await page.getByRole('option', { name: 'Velvet' }).first().click()
  await press('Run valuation')
  await page.locator('.band figcaption').waitFor()
  expect(errors).toEqual([])
  await context.close()
})

test('files are uploaded for an artist, and a video is created from them, watched and recreated', async () => {
  const { page, context, errors } = await openConsole(browser, address)
  const user = await world.makeAccount({ credits: 10_000_000 })
  await makeRepository(user, {})
  await makeArtist(user, 'Nina Harlow')
  await page.goto(`${address}/console/content`)
  await signInByKey(page, user.key)
  await page.getByText('Add images and songs for an artist', { exact: true }).click()
  await page.getByLabel('Files').setInputFiles([
    { name: 'cover.png', mimeType: 'image/png', buffer: picture() },
    { name: 'harbor-lights.wav', mimeType: 'audio/wav', buffer: song() },
  ])
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('Uploaded: nina-harlow/cover.png, nina-harlow/harbor-lights.wav').waitFor()
  await page.locator('summary', { hasText: 'Create videos' }).click()
  await page.getByRole('button', { name: 'Create videos' }).click()
  await page.getByRole('button', { name: 'Play Nina Harlow, Harbor Lights' }).click()
  await page.locator('video.frame, .frame a').waitFor()
  await page.getByRole('button', { name: 'Create another' }).click()
  await eventually('the second video', async () =>
    (await page.locator('.videos > li').count()) === 2 ? true : undefined,
  )
  await page.locator('summary', { hasText: 'Create videos' }).click()
  await page.getByText('Add images and songs for an artist', { exact: true }).click()
  await takePicture(page, 'videos')
  expect(errors).toEqual([])
  await context.close()
})

test('input survives an expired sign-in if the person signs in again in another tab or with a key', async () => {
  const { page, context } = await openConsole(browser, address)
  const token = developmentToken(world.config.SERVER_SECRET ?? '')
  await page.goto(`${address}/identity/open/${token}?email=${owner.email}`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/identity/authorize**')
  await page.locator('form button').first().click()
  await page.locator('.shell').waitFor()
  const message = page.locator('.composer textarea')
  await message.fill('a long question')
  /** Makes the API reject the credential until the page shows the notice. */
  const endSignIn = async (): Promise<void> => {
    await page.route('**/api/sessions**', (route) => route.fulfill({ status: 401, json: { error: 'Unauthorized' } }))
    await page.getByText('Your sign-in has ended').waitFor()
    expect(await message.isVisible()).toBe(false)
    await page.unroute('**/api/sessions**')
  }
  await endSignIn()
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in again in another tab' }).click(),
  ])
  await tab.locator('form button').first().click()
  await tab.getByText('You are signed in. Return to the tab').waitFor()
  await message.waitFor()
  expect(await message.inputValue()).toBe('a long question')
  await endSignIn()
  await signInByKey(page, owner.key)
  expect(await message.inputValue()).toBe('a long question')
  const kept = await page.evaluate('[{ ...localStorage }, { ...sessionStorage }]')
  const draft = JSON.stringify({ text: 'a long question', unsent: [] })
  expect(kept).toEqual([{ [`backline-draft:${owner.id}:new`]: draft }, {}])
  await context.close()
})

test('a member sees and creates data of the organization, and repeats a run', async () => {
  const { page, context, errors } = await openConsole(browser, address)
  const member = await world.makeAccount({ credits: 10_000_000 })
  const { id } = await world.makeOrganization({ members: [member.id] })
  await world.db`update accounts set name = ${hostile} where id = ${id}`
  await world.db.begin((tx) =>
    creditAccount(tx, { accountId: id, amount: 5_000_000, reference: `gift:${id}`, kind: 'grant', reason: hostile }),
  )
  await insertHostileVideo(world, id)
  await page.goto(`${address}/console/money`)
  await signInByKey(page, member.key)
  await page.getByRole('combobox', { name: 'Account' }).selectOption(id)
  await page.locator('.figures', { hasText: '$5.00' }).waitFor()
  await page.locator('td', { hasText: 'Grant: <img' }).waitFor()
  await openPath(page, '/content')
  await page.locator('.videos', { hasText: 'onerror' }).waitFor()
  await openPath(page, '/artists')
  await page.getByText('Add an artist', { exact: true }).click()
  await page.getByLabel('Name').fill('Their artist')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Their artist' }).waitFor()
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined()
  expect(await page.locator('main img, main script').count()).toBe(0)
  await page.getByRole('combobox', { name: 'Account' }).selectOption('')
  await page.getByText('No artists yet.').waitFor()
  await openPath(page, '/music')
  await page.getByText('Create a track', { exact: true }).click()
  await page.getByLabel('Description').fill('house')
  await page.getByLabel('Lyrics').fill('la')
  await page.getByRole('button', { name: 'Create track' }).click()
  await page.locator('audio').waitFor()
  await openPath(page, '/runs')
  await page.getByRole('link', { name: 'render music' }).click()
  await page.getByRole('button', { name: 'Run again' }).click()
  await eventually('the second track', async () =>
    (await page.locator('.cards > li').count()) === 2 ? true : undefined,
  )
  expect(errors).toEqual([])
  await context.close()
})

test('runs are searched by text and day with the filters in the URL, and going back restores the scroll position', async () => {
  const { page, context, errors } = await openConsole(browser, address, { viewport: { width: 1000, height: 300 } })
  await page.goto(`${address}/console/runs`)
  await signInByKey(page, owner.key)
  const rows = page.locator('main tbody tr')
  await rows.nth(2).waitFor()
  const byStatus = page.getByRole('group', { name: 'Runs by status' })
  await byStatus.getByRole('button', { name: '1 waiting for you' }).click()
  await rows.filter({ hasText: 'waiting for you' }).waitFor()
  expect(await rows.count()).toBe(1)
  await byStatus.getByRole('button', { name: 'all' }).click()
  await rows.nth(2).waitFor()
  const total = await rows.count()
  await scrollTo(page, 150)
  await eventually('the scroll position', async () => (await readScrollTop(page)) > 100 || undefined)
  await rows.last().getByRole('link').click()
  await page.getByText('Details', { exact: true }).waitFor()
  await page.goBack()
  await rows.nth(total - 1).waitFor()
  await eventually('the scroll position', async () => (await readScrollTop(page)) > 100 || undefined)
  await page.getByLabel('Search').fill('scrape')
  await page.keyboard.press('Enter')
  await page.waitForURL('**search=scrape')
  await page.getByLabel('To').fill('2020-01-01')
  await page.getByText('No runs match these filters.').waitFor()
  expect(new URL(page.url()).searchParams.get('to')).toContain('2020-01-01')
  expect(errors).toEqual([])
  await context.close()
})

test('Ctrl+K opens pages, chats and artists, and ? lists the shortcuts', async () => {
  const { page, context, errors } = await openConsole(browser, address)
  await page.goto(`${address}/console/money`)
  await signInByKey(page, owner.key)
  const goTo = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search').fill(text)
    await page.getByRole('dialog').getByText(text).first().waitFor()
    await page.keyboard.press('Enter')
  }
  await goTo('Scraping')
  await page.getByRole('heading', { name: 'Scraping' }).waitFor()
  await goTo('Nina Harlow')
  await page.getByRole('heading', { name: 'Nina Harlow' }).waitFor()
  await page.locator('main').press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await listAccessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByText('Valuation').waitFor()
  expect(await listAccessibilityFaults(page)).toEqual([])
  expect(errors).toEqual([])
  await context.close()
})

test('pages show that a list is empty, that a request failed and that the browser is offline', async () => {
  const { page, context } = await openConsole(browser, address)
  const outsider = await world.makeAccount()
  await page.goto(`${address}/console/projects`)
  await signInByKey(page, outsider.key)
  await page.getByText('No projects yet.').waitFor()
  await openPath(page, `/runs/wrun_00000000000000000000000000`)
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await openPath(page, '/artists')
  await page.getByText('No artists yet.').waitFor()
  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await context.close()
})

test('the first view loads less than 250 KB with gzip, including fonts', async () => {
  const { page, context } = await openConsole(browser, address)
  await page.goto(`${address}/console/chat`)
  await signInByKey(page, owner.key)
  await page.getByText('What should the agent do?').waitFor()
  const first = await measureSentBytes(page)
  expect(first).toBeGreaterThan(50_000)
  expect(first).toBeLessThan(250_000)
  await context.close()
})

/**
 * Returns the size of all response bodies in bytes, as sent. Over plain HTTP, Chromium accepts only gzip, which is
 * about a tenth larger than the encoding over TLS.
 */
const measureSentBytes = (page: Page): Promise<number> =>
  page.evaluate<number>(
    "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((sum, entry) => sum + entry.encodedBodySize, 0)",
  )
