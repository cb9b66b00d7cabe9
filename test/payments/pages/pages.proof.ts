import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { paymentSettings } from '../../../config.ts'
import { launchChromium } from '../../../dev/system/chromium.ts'
import { buildOperatorUrl } from '../../../providers/payment/choose.ts'
import { createWorld, type World } from '../../world/world.ts'
import { inboxPath } from '../../mail/inbox.ts'
import { effect } from '../effects.ts'

let world: World
let shop: Server
let shopUrl: string
let browser: Browser | undefined
let page: Page
let consoleMessages: string[]

beforeAll(async () => {
  browser = await launchChromium(async () => {
    shop = createServer((_, response) => response.end('the shop')).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
    world = await createWorld({ worker: false, settings: { REDIRECT_ORIGINS: shopUrl } })
    // The pages contain the default URL of the service, but the test service listens on another port.
    const rules = `MAP ${new URL(world.config.baseUrl).host} ${new URL(world.baseUrl).host}`
    return [`--host-resolver-rules=${rules}`]
  })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  shop?.closeAllConnections()
  shop?.close()
  await world?.close()
})
beforeEach(async ({ skip }) => {
  if (browser === undefined) {
    skip('Chromium is not available')
    return
  }
  const context = await browser.newContext({ javaScriptEnabled: false })
  page = await context.newPage()
  consoleMessages = []
  page.on('console', (message) => void consoleMessages.push(message.text()))
})

const topUp = async (successUrl: string): Promise<string> => {
  const opened = await world.deps.payments.createCheckout(
    { mode: 'payment', lines: [{ name: 'credits', amountCents: 500 }], saveCard: true, successUrl, metadata: {} },
    effect(),
  )
  return opened.url
}
const payWithCard = async (number: string): Promise<void> => {
  await page.getByLabel('Email').fill('buyer@example.com')
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12/40')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay 5.00 USD' }).click()
}

test('without scripts, a customer whose card is declined confirms another card and returns to the shop', async () => {
  await page.goto(await topUp(`${shopUrl}/thanks?order=1`))
  await payWithCard('4000000000000002')
  expect(await page.getByRole('alert').textContent()).toBe('Your card was declined.')
  await payWithCard('4000002500003155')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL(`${shopUrl}/thanks?order=1`)
  expect(await page.textContent('body')).toBe('the shop')
  expect(consoleMessages.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

test('a host that is not listed is opened only by a click', async () => {
  const other = shopUrl.replace('127.0.0.1', 'localhost')
  await page.goto(await topUp(`${other}/thanks`))
  await payWithCard('4242424242424242')
  const link = page.getByRole('link', { name: `Continue to ${new URL(other).host}` })
  await link.waitFor()
  expect(new URL(page.url()).host).toBe(new URL(world.config.baseUrl).host)
  await link.click()
  await page.waitForURL(`${other}/thanks`)
  expect(consoleMessages.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'in the %s color scheme, the pages of the embedded stack are accessible and fit a width of 320 pixels',
  async (colorScheme) => {
    const { key } = await world.makeAccount()
    await world.request('POST', '/api/emails', { key, body: { subject: 'Weekly report', text: 'All **is** well.' } })
    const { customerId } = await world.deps.payments.ensureCustomer({ accountId: randomUUID(), email: null }, effect())
    const portal = await world.deps.payments.createPortal({ customerId, returnUrl: `${shopUrl}/` }, effect())
    const { embedded } = paymentSettings(world.config)
    if (embedded === undefined) throw new Error('the provider is not embedded')
    const inbox = world.config.baseUrl + inboxPath(world)
    const context = await browser!.newContext({ colorScheme, viewport: { width: 320, height: 640 } })
    const page = await context.newPage()
    const check = async (): Promise<void> => {
      // The frame shows an email as it was sent, which axe does not check.
      const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze()
      expect([page.url(), violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([
        page.url(),
        [],
      ])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
    }
    for (const url of [await topUp(`${shopUrl}/`), portal.url, buildOperatorUrl(embedded), inbox]) {
      await page.goto(url)
      await check()
    }
    await page.locator('.entries a').first().click()
    await check()
    await context.close()
  },
)
