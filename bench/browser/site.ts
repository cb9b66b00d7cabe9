import type { Browser } from 'playwright-core'
import { measureSpread, median, type Bench, type Row } from '../measure.ts'
import { launchBrowser, measureFirstView, phoneSlowdown, type FirstView } from './open.ts'

const pages = { 'home page': '/', quickstart: '/docs/quickstart', 'API reference of a turn': '/docs/api-reference' }

/** Measures first views of the public site. The control is a text of a few bytes from the same server. */
export const site: Bench = {
  name: 'site',
  settings: { SITE: 'on' },
  run: async ({ baseUrl, say }, { quick }) => {
    const browser = await launchBrowser(say)
    try {
      const rounds = quick ? 2 : 7
      const control = await viewRepeatedly(browser, `${baseUrl}/healthz`, rounds)
      const rows: Row[] = []
      for (const [name, path] of Object.entries(pages)) {
        const views = await viewRepeatedly(browser, baseUrl + path, rounds)
        rows.push(
          {
            name: `first view of the ${name}`,
            ...measureSpread(views.map(({ kilobytes }) => kilobytes)),
            unit: 'KB',
            aim: { atMost: 100 },
            how: 'all bytes that a browser without a cache receives for the page, compressed with gzip',
          },
          {
            name: `largest contentful paint of the ${name}, CPU ${phoneSlowdown}x slower`,
            ...measureSpread(views.map(({ lcpMs }) => lcpMs)),
            unit: 'ms',
            aim: { atMost: 1000 },
            how: 'from the start of the navigation in a browser without a cache, without network latency',
            detail: `control, a text of a few bytes: ${median(control.map(({ lcpMs }) => lcpMs)).toFixed(0)} ms`,
          },
        )
      }
      return rows
    } finally {
      await browser.close()
    }
  },
}

export async function viewRepeatedly(browser: Browser, url: string, rounds: number): Promise<FirstView[]> {
  // The first view is not counted, because it also starts browser processes and loads files into the server's memory.
  await measureFirstView(browser, url)
  const views: FirstView[] = []
  for (let round = 0; round < rounds; round++) views.push(await measureFirstView(browser, url))
  return views
}
