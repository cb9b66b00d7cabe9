import type { Browser, CDPSession, Page } from 'playwright-core'
import { CommandRefusedError, type Print } from '../../dev/say.ts'
import { launchChromium } from '../../dev/system/chromium.ts'

/** CPU slowdown that simulates a mid-range phone. */
export const phoneSlowdown = 4

export type OpenPage = { page: Page; devtools: CDPSession; close: () => Promise<void> }

/** Launches Chromium. Throws if it is not available. */
export async function launchBrowser(say: Print): Promise<Browser> {
  const browser = await launchChromium(undefined, say)
  if (browser === undefined) throw new CommandRefusedError('This bench needs Chromium.')
  return browser
}

/** Opens a page in a new browser context, without a cache or cookies. */
export async function openPage(browser: Browser, cpuSlowdown = 1): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return { page, devtools, close: () => context.close() }
}

export type FirstView = { kilobytes: number; lcpMs: number }

/** Opens a URL without a cache. Returns the transferred kilobytes and the time of the largest contentful paint. */
export async function measureFirstView(browser: Browser, url: string, cpuSlowdown = phoneSlowdown): Promise<FirstView> {
  const { page, devtools, close } = await openPage(browser, cpuSlowdown)
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await devtools.send('Network.enable')
  await page.goto(url, { waitUntil: 'networkidle' })
  const lcpMs = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true })
  })`)
  await close()
  return { kilobytes: bytes / 1000, lcpMs }
}
