import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../dev/system/chromium.ts'
import { fillChat, say as message } from '../../world/sessions/session-rows.ts'
import { openSession, owner, useSessionWorld, world } from '../../world/sessions/session-world.ts'

useSessionWorld()

const answer = `Here is a plan for **five cities** in eight days.

| City | Venue | Capacity | Distance from the last stop |
| - | - | - | - |
| Hamburg | Knust | 400 | 0 km |
| Copenhagen | Vega | 500 | 337 km |

## What to do next

1. Ask [the venues](https://example.com/a-very-long-address-that-does-not-break-anywhere-at-all-and-goes-on) for dates.
2. Keep \`tour/plan.md\` up to date.

\`\`\`sh
node plan.js --cities hamburg,copenhagen,gothenburg,oslo,stockholm --days 8 --out tour/plan.md
\`\`\`
`

let browser: Browser | undefined
let url: string
beforeAll(async () => {
  const { chatId, path } = await openSession()
  await world.db`update chats set title = 'Plan a tour of five cities' where id = ${chatId}`
  await fillChat(world.db, chatId, [
    message('Plan a tour of five cities.\nWe have eight days and one van.'),
    {
      ...message('', 'assistant'),
      parts: [
        {
          type: 'tool-bash',
          toolCallId: 'c',
          state: 'output-available',
          input: { command: 'ls' },
          output: { stdout: 'tour' },
        },
        { type: 'tool-fetch', toolCallId: 'd', state: 'output-error', input: {}, errorText: 'Cancelled' },
        { type: 'text', text: answer },
      ],
    },
    message('Thanks! And what does it cost?'),
    message('About **4,200 EUR**, fuel and ferries included.', 'assistant'),
  ])
  const body = { toolOutputs: true }
  const shared = await world.request<{ url: string }>('POST', `${path}/${chatId}/shares`, { key: owner.key, body })
  url = world.baseUrl + new URL(shared.body.url).pathname
  browser = await launchChromium()
}, 600_000)
afterAll(() => browser?.close())
beforeEach(({ skip }) => {
  if (browser === undefined) skip('Chromium is not available')
})

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

describe.each(['light', 'dark'] as const)('in the %s color scheme', (colorScheme) => {
  test.each([320, 1000])(
    'a shared chat is accessible, fits a width of %i pixels and loads no other resource',
    async (width) => {
      const context = await browser!.newContext({ colorScheme, viewport: { width, height: 900 } })
      const requestedUrls: string[] = []
      const errors: string[] = []
      context.on('request', (request) => requestedUrls.push(request.url()))
      context.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
      const page = await context.newPage()
      await page.goto(url)
      await page.locator('summary').first().click()
      expect((await new AxeBuilder({ page }).withTags(rules).analyze()).violations).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(requestedUrls.filter((address) => !address.endsWith('/favicon.ico'))).toEqual([url])
      expect(errors.filter((fault) => !fault.includes('favicon'))).toEqual([])
      await context.close()
    },
  )
})
