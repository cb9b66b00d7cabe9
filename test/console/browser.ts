import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { print } from '../../dev/say.ts'
import { ensureChromium } from '../../dev/system/chromium.ts'

/**
 * Undefined, with the reason on the console, where there is no Chromium. `more`: further switches, requested where
 * there is one.
 */
export const launchBrowser = async (more: () => Promise<string[]> = async () => []): Promise<Browser | undefined> => {
  const executablePath = await ensureChromium(print)
  if (executablePath === undefined) return undefined
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
  return chromium.launch({ executablePath, args: [...args, ...(await more())] })
}

export type OpenConsole = {
  context: BrowserContext
  page: Page
  /** Errors of the page, and its requests to hosts other than `baseUrl`. */
  faults: string[]
}

type Options = Parameters<Browser['newContext']>[0]

export const openConsole = async (browser: Browser, baseUrl: string, options?: Options): Promise<OpenConsole> => {
  const context = await browser.newContext(options)
  // Some pages wait for a render, which takes the processor from the browser.
  context.setDefaultTimeout(90_000)
  const faults: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseUrl) && !url.startsWith('data:')) faults.push(`requested ${url}`)
  })
  context.on('weberror', (error) => faults.push(String(error.error())))
  context.on('console', (message) => {
    // Refusals and cut connections are what some tests are about.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text())
  })
  return { context, page: await context.newPage(), faults }
}

export const signInByKey = async (page: Page, key: string): Promise<void> => {
  await page.locator('input[name=key]').fill(key)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.locator('.shell').waitFor()
}

export const sendMessage = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** Texts of the answers that are drawn, one each. */
export const answersOn = (page: Page): Promise<string[]> => page.locator('.message.assistant .prose').allInnerTexts()

/** Goes to a page without a load, which would forget who is signed in. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(`/console${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
