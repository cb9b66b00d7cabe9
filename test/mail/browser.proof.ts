import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChatApi } from '../chat/chat-api.ts'
import { launchChromium } from '../../dev/system/chromium.ts'
import { createWorld, type World } from '../world/world.ts'
import { inboxPath, listMails } from './inbox.ts'

let world: World
let browser: Browser | undefined
beforeAll(async () => {
  browser = await launchChromium()
  if (browser !== undefined) world = await createWorld({ worker: false })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
})
beforeEach(({ skip }) => {
  if (browser === undefined) skip('there is no Chromium')
})

const text = `Streams are **up**: 1,204,331 in November.

| song | streams |
| --- | --- |
| Midnight Arcade | 804,112 |

https://example.org/a-report-with-an-address-that-is-much-too-long-for-a-narrow-page/2026/11/24
`

const sendMail = async (): Promise<{ chatId: string; path: string }> => {
  const { account, chatId } = await createChatApi(world).openChatWithoutCommands()
  const body = { subject: 'Numbers of the week', text, chat_id: chatId }
  expect((await world.request('POST', '/api/emails', { key: account.key, body })).status).toBe(200)
  const [mail] = await listMails(world, account.email)
  return { chatId, path: `${inboxPath(world)}/${mail?.id}` }
}

/** Saves a screenshot for visual review if PICTURES is set. */
const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test.each(['light', 'dark'] as const)(
  'a person replies to an email on the inbox page in the %s color scheme',
  async (scheme) => {
    const { chatId, path } = await sendMail()
    const context = await browser!.newContext({ colorScheme: scheme, viewport: { width: 320, height: 640 } })
    try {
      const page = await context.newPage()
      await page.goto(world.baseUrl + path)
      await saveScreenshot(page, `inbox-${scheme}-320`)
      // Scripts are disabled in the frame of an email, so axe cannot check it.
      await page.evaluate("document.querySelector('iframe').remove()")
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
      await page.getByRole('button', { name: 'Reply' }).click()
      // An empty form is not submitted.
      expect(new URL(page.url()).pathname).toBe(path)
      await page.getByLabel('Text').fill('Add Porto')
      await page.getByRole('button', { name: 'Reply' }).click()
      await page.locator('.notice').waitFor()
      await page.reload()
      await saveScreenshot(page, `inbox-${scheme}-replied`)
      const replies = await world.db`select content ->> 'text' as text from mail_replies where chat_id = ${chatId}`
      expect(replies).toEqual([{ text: 'Add Porto' }])
      await page.setViewportSize({ width: 1024, height: 768 })
      await saveScreenshot(page, `inbox-${scheme}-wide`)
    } finally {
      await context.close()
    }
  },
)
