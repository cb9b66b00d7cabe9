import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../dev/system/chromium.ts'
import { listAccessibilityFaults } from '../../world/accessibility.ts'
import { eventually } from '../../world/world.ts'
import { startSite } from './pages-site.ts'

let site: Awaited<ReturnType<typeof startSite>>
let browser: Browser | undefined
let context: BrowserContext
let page: Page
/** All requests of the browser context. */
let requests: { url: string; body: string | null }[]
let errors: string[]

beforeAll(async () => {
  site = await startSite()
  browser = await launchChromium()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await site.close()
})
beforeEach(({ skip }) => {
  if (browser === undefined) skip('Chromium is not available')
})
afterEach(() => context?.close())

const open = async (path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
  context = await browser!.newContext(options)
  requests = []
  errors = []
  context.on('request', (request) => requests.push({ url: request.url(), body: request.postData() }))
  context.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  context.on('weberror', (error) => errors.push(String(error.error())))
  page = await context.newPage()
  await page.goto(site.url + path)
}

const paths = [
  '/',
  '/docs',
  '/docs/quickstart',
  '/docs/api-reference/chat/send-turn',
  '/blog',
  '/blog/streams',
  '/playbooks',
  '/playbooks/weekly-report',
  '/search?query=reader',
  '/tools',
  '/agents',
  '/contact',
  '/royalty-reporting',
]
const smallViewport = { width: 320, height: 640 }

describe.each(['light', 'dark'] as const)('in the %s color scheme', (colorScheme) => {
  test.each(paths)('%s is accessible, fits a width of 320 pixels and loads nothing from other hosts', async (path) => {
    await open(path, { colorScheme, viewport: smallViewport })
    expect(await listAccessibilityFaults(page, colorScheme)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(smallViewport.width)
    expect(requests.filter(({ url }) => !url.startsWith(site.url))).toEqual([])
    expect(errors).toEqual([])
    expect(await context.cookies()).toEqual([])
  })
})

test.each(paths)('the first visit to %s transfers less than 100 KB', async (path) => {
  await open(path)
  const sizes = await page.evaluate<number[]>(
    "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).map((one) => one.transferSize)",
  )
  expect(sizes.length).toBeGreaterThan(2)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
})

test('without scripts, content and search work, and the tools page states that it requires scripts', async () => {
  await open('/tools', { javaScriptEnabled: false })
  expect(await page.locator('noscript').innerText()).toContain('require it')
  expect(await page.locator('form[data-tool] fieldset.bare:disabled').count()).toBe(4)
  await page.locator('#search input').fill('quickstart')
  await page.locator('#search input').press('Enter')
  await page.locator('.entries a').first().click()
  expect(await page.locator('h1').innerText()).toBe('Quickstart')
})

test('a button copies code, and a button replays the animation', async () => {
  await open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.locator('.commands [data-copy]').first().click()
  await page.locator('.commands [data-copy]', { hasText: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm start')
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))')
  await page.locator('[data-replay]').click()
  expect(await page.evaluate("document.getAnimations().some((one) => one.playState === 'running')")).toBe(true)
})

test('with reduced motion the animation is static and complete', async () => {
  await open('/', { reducedMotion: 'reduce' })
  expect(await page.evaluate('document.getAnimations().length')).toBe(0)
  expect(await page.locator('.replay .word').evaluateAll((words) => words.length)).toBe(5)
})

test('on a narrow screen the menu and the sidebar open without scripts', async () => {
  await open('/docs/quickstart', { javaScriptEnabled: false, viewport: smallViewport })
  expect(await page.locator('#menu').isVisible()).toBe(false)
  await page.locator('.menu').click()
  await page.locator('#menu a', { hasText: 'Pricing' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.side-opener button').click()
  await page.locator('#side a', { hasText: 'Streaming and resume' }).click()
  expect(await page.locator('h1').innerText()).toBe('Streaming and resume')
})

const tabTo = async (selector: string): Promise<void> => {
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`the keyboard does not reach ${selector}`)
}

describe('with only the keyboard', () => {
  test('a skip link leads to the content, and a search finds a page', async () => {
    await open('/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo('input[name=query]')
    await page.keyboard.type('quickstart')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?**')
    await tabTo('.entries a')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).toBe('solid')
    await page.keyboard.press('Enter')
    await page.locator('h1', { hasText: 'Quickstart' }).waitFor()
  })

  test('a project brief can be drafted, edited and used on the contact page', async () => {
    await open('/tools')
    await tabTo('#brief-workflow')
    await page.keyboard.type('<img src=x onerror=alert(1)> report from three portals')
    await tabTo('#brief-desiredOutcome')
    await page.keyboard.type('One checked sheet by the 5th')
    await tabTo('#brief button')
    await page.keyboard.press('Enter')
    await page.locator('aside.panel').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('brief-panel-title')
    expect(await page.locator('aside img').count()).toBe(0)
    expect(await page.locator('#brief-panel-text').inputValue()).toContain('<img src=x onerror=alert(1)> report')
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    requests.length = 0
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Typed later.')
    await tabTo('aside button:nth-of-type(3)')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/contact')
    await page.locator('#draft').waitFor()
    await tabTo('[data-action=use]')
    await page.keyboard.press('Enter')
    expect(await page.locator('#message').inputValue()).toMatch(/5th Typed later\.$/)
    expect(await page.evaluate("sessionStorage.getItem('brief-draft:v1')")).toBe(null)
    expect(requests.filter(({ url, body }) => /report|onerror/.test(url + (body ?? '')))).toEqual([])
  })
})

test('a dismissed draft is removed, and the focus returns to the form', async () => {
  await open('/tools')
  await page.locator('#brief-workflow').fill('Monthly royalty report from three portals')
  await page.locator('#brief-desiredOutcome').fill('One checked sheet by the 5th')
  await page.locator('#brief button').click()
  await page.locator('#brief-panel-text').fill('too short')
  expect(await page.locator('aside button', { hasText: 'Continue' }).isDisabled()).toBe(true)
  await page.locator('aside button', { hasText: 'Dismiss' }).click()
  expect(await page.locator('aside').count()).toBe(0)
  expect(await page.evaluate("document.activeElement.closest('#brief') !== null")).toBe(true)
})

const hour = 60 * 60 * 1000
const draft = { interest: 'AI strategy', message: 'Monthly royalty report', extra: 'dropped' }
const storeDraft = (storedDraft: object) =>
  context.addInitScript(`sessionStorage.setItem('brief-draft:v1', ${JSON.stringify(JSON.stringify(storedDraft))})`)

test.each([
  ['expired', { draft, expiresAt: Date.now() - 1 }],
  ['stored for too long', { draft, expiresAt: Date.now() + 2 * hour }],
  ['for an unknown interest', { draft: { ...draft, interest: 'x' }, expiresAt: Date.now() + hour / 2 }],
  ['too short', { draft: { ...draft, message: 'short' }, expiresAt: Date.now() + hour / 2 }],
])('a draft that is %s is not offered', async (_, storedDraft) => {
  await open('/')
  await storeDraft(storedDraft)
  await page.goto(`${site.url}/contact`)
  expect(await page.locator('#draft').isHidden()).toBe(true)
  expect(await page.evaluate("sessionStorage.getItem('brief-draft:v1')")).toBe(null)
})

test('a draft that is offered on the contact page is removed after an hour', async () => {
  await open('/')
  await page.clock.install()
  await page.evaluate(
    `sessionStorage.setItem('brief-draft:v1', JSON.stringify({ draft: ${JSON.stringify(draft)}, expiresAt: Date.now() + 60000 }))`,
  )
  await page.goto(`${site.url}/contact`)
  await page.locator('#draft').waitFor()
  await page.clock.fastForward(61_000)
  expect(await page.locator('#draft-status').innerText()).toContain('expired')
  expect(await page.evaluate("sessionStorage.getItem('brief-draft:v1')")).toBe(null)
})

describe('the tools page', () => {
  test('can search, read a document to its end, and calculate an estimate', async () => {
    await open('/tools')
    await page.locator('#search input').fill('Streaming and resume')
    await page.locator('#search button').first().click()
    await page.locator('#search .entries button').first().click()
    const continueButton = page.locator('#read button', { hasText: 'Continue reading' })
    await continueButton.waitFor()
    const readLength = async () => (await page.locator('#read pre').textContent())?.length ?? 0
    while (await continueButton.isVisible()) {
      const before = await readLength()
      await continueButton.click()
      await eventually('more text', async () => (await readLength()) > before || undefined)
    }
    const read = await context.request.get(`${site.url}/agent-api/v1/read?id=docs:streaming-and-resume&maxLength=12000`)
    const { markdown } = (await read.json()) as { markdown: string }
    expect(await page.locator('#read pre').textContent()).toContain(markdown)
    for (const [name, value] of Object.entries({
      monthlyHours: 10,
      hourlyCost: 20,
      timeReduction: 50,
      monthlySystemCost: 200,
      setupCost: 1000,
    }))
      await page.locator(`#${name}`).fill(String(value))
    await page.locator('#roi button').click()
    await page.locator('#roi dl').waitFor()
    expect(await page.locator('#roi dl').innerText()).toMatch(/-2,200 USD[\s\S]*no payback period/)
  })

  test('shows an error next to its field', async () => {
    await open('/tools')
    await page.locator('#roi button').click()
    await page.locator('#monthlyHours-wrong').waitFor()
    expect(await page.locator('#monthlyHours').getAttribute('aria-invalid')).toBe('true')
    expect(await page.evaluate('document.activeElement.id')).toBe('monthlyHours')
    await page.locator('#readiness button').click()
    await page.locator('#access-wrong').waitFor()
  })

  test('copies the recommended interest into the project brief', async () => {
    await open('/tools')
    for (const group of await page.locator('#readiness fieldset fieldset').all())
      await group.locator('input').first().check()
    await page.locator('#readiness > form button').click()
    await page.locator('#readiness ol').waitFor()
    expect(await page.locator('#readiness ol li').count()).toBe(3)
    await page.locator('#readiness [data-result] button').click()
    expect(await page.locator('#interest').inputValue()).toBe('Custom systems')
  })
})

/** Script that defines a tool registry in the page. `offered` contains the registered tools. */
const modelContext = `
  globalThis.offered = new Map()
  Object.defineProperty(document, 'modelContext', { value: {
    registerTool: async (tool, { signal } = {}) => {
      if (offered.has(tool.name)) throw new Error('registered twice')
      offered.set(tool.name, tool)
      signal?.addEventListener('abort', () => offered.delete(tool.name))
    },
  } })`
const listRegistered = (): Promise<string[]> => page.evaluate('[...offered.keys()]')
const untilAllRegistered = () =>
  eventually('five tools', async () => (await listRegistered()).length === 5 || undefined)
const brief = { workflow: 'Monthly royalty report from three portals', desiredOutcome: 'One checked sheet by the 5th' }
const run = (name: string, args: object, call = '{}'): Promise<Record<string, unknown>> =>
  page.evaluate(`offered.get('${name}').execute(${JSON.stringify(args)}, ${call})`)

describe('in a browser with a tool registry', () => {
  beforeEach(async () => {
    await open('/')
    await context.addInitScript(modelContext)
    await page.goto(`${site.url}/docs`)
    await untilAllRegistered()
  })

  test('the five tools are registered once and removed when the user leaves the page', async () => {
    expect(await page.evaluate("offered.get('prepare_project_brief').annotations")).toEqual({
      readOnlyHint: false,
      untrustedContentHint: true,
    })
    expect(await page.evaluate("offered.get('search_service').annotations")).toEqual({ readOnlyHint: true })
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    expect(await listRegistered()).toEqual([])
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow'))")
    await untilAllRegistered()
  })

  test('a tool returns the response of its route, including errors', async () => {
    expect(await run('search_service', { query: 'quickstart' })).toMatchObject({ query: 'quickstart' })
    expect(await run('read_service_page', { id: 'docs:none' })).toMatchObject({ error: { code: 'NOT_FOUND' } })
    await context.setOffline(true)
    expect(await run('search_service', { query: 'x' })).toMatchObject({ error: { code: 'UNAVAILABLE' } })
  })

  test('the brief tool opens the review panel, unless its call is cancelled', async () => {
    const cancelled = run('prepare_project_brief', brief, '{ signal: AbortSignal.abort() }')
    await expect(cancelled).rejects.toThrow(/abort/i)
    expect(await page.locator('aside').count()).toBe(0)
    expect(await run('prepare_project_brief', brief)).toMatchObject({ status: 'draft', reviewAvailable: true })
    expect(await page.locator('aside.panel').count()).toBe(1)
  })
})

test('if one tool cannot be registered, all other tools are removed', async () => {
  await open('/')
  await context.addInitScript(modelContext + "\noffered.set('prepare_project_brief', {})")
  await page.goto(`${site.url}/docs`)
  await page.waitForLoadState('networkidle')
  await eventually('the removal of the other tools', async () => (await listRegistered()).length === 1 || undefined)
})
