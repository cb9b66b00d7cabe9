import type { Browser, BrowserContext, Page } from 'playwright-core'

export type OpenConsole = {
  context: BrowserContext
  page: Page
  /** Errors of the page, and its requests to hosts other than `baseUrl`. */
  errors: string[]
}

type Options = Parameters<Browser['newContext']>[0]

export const openConsole = async (browser: Browser, baseUrl: string, options?: Options): Promise<OpenConsole> => {
  const context = await browser.newContext(options)
  // A video render on the same machine slows the browser down.
  context.setDefaultTimeout(90_000)
  const errors: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseUrl) && !url.startsWith('data:')) errors.push(`requested ${url}`)
  })
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => {
    // Some tests provoke error responses and lost connections.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) errors.push(message.text())
  })
  return { context, page: await context.newPage(), errors }
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

/** Returns the text of each rendered answer. */
export const readAnswers = (page: Page): Promise<string[]> => page.locator('.message.assistant .prose').allInnerTexts()

/** Navigates to a path without a page load, which would end a sign-in by key. */
export const openPath = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(`/console${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
