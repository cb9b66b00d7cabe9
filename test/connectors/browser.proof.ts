import { rm } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchChromium } from '../../dev/system/chromium.ts'
import { oidcSettings, serveOidc } from '../providers/vendors/sign-in/oidc-service.ts'
import { serve } from '../providers/vendors/serve.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createConnectorApi } from './connector-api.ts'
import { exampleFolder } from './example.ts'

let oidc: Awaited<ReturnType<typeof serveOidc>>
let app: Awaited<ReturnType<typeof serve>>
let folder: string
let world: World
let browser: Browser | undefined
let page: Page
let pageErrors: string[]
let account: TestAccount

beforeAll(async () => {
  browser = await launchChromium(async () => {
    app = await serve((_, response) => response.end('the settings of the app'))
    oidc = await serveOidc('http://localhost:8787/api/connectors/callback')
    folder = await exampleFolder(oidc.url)
    const settings = { CONNECTORS_DIR: folder, ALLOW_PRIVATE_FETCH: 'true', REDIRECT_ORIGINS: app.url, CONSOLE: 'on' }
    world = await createWorld({ worker: false, settings: { ...oidcSettings, ...settings } })
    // Links on the pages use the default address of the service, but the service of this test listens at another address.
    const rules = `MAP ${new URL(world.config.baseUrl).host} ${new URL(world.baseUrl).host}`
    return [`--host-resolver-rules=${rules}`]
  })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
  await oidc?.close()
  await app?.close()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})
beforeEach(async ({ skip }) => {
  if (browser === undefined) {
    skip('there is no Chromium')
    return
  }
  const context = await browser.newContext()
  page = await context.newPage()
  pageErrors = []
  page.on('console', (message) => void pageErrors.push(message.text()))
  account = await world.makeAccount()
})

const api = createConnectorApi(() => world)
const settingsPage = () => `${app.url}/settings?tab=connectors`
const begin = async (connector: string): Promise<void> => {
  const { body } = await api.authorize(account, connector, { callback_url: settingsPage() })
  await page.goto(body.data.redirectUrl)
}
/** Signs in and confirms a connection, in a browser that has not opened the console. */
const confirm = async (serviceAccount: string): Promise<void> => {
  await page.getByText('To complete the connection, sign in').waitFor()
  await expectCleanPage()
  await takePicture('returned')
  await page.getByRole('link', { name: 'Sign in and confirm' }).click()
  await page.getByLabel('API key').fill(account.key)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.getByText(`the account ${serviceAccount} of`).waitFor()
  await takePicture('confirm')
  await page.getByRole('button', { name: /^Confirm: / }).click()
  await page.waitForURL(settingsPage())
}
const readConnectionId = async (connector: string): Promise<string> =>
  (await api.findConnectionId(account, connector)) ?? ''
/** Saves a screenshot for visual review if PICTURES is set. */
const takePicture = async (name: string): Promise<void> => {
  const folder = process.env['PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
const expectCleanPage = async (): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  expect(pageErrors.filter((text) => text.includes('Content Security Policy'))).toEqual([])
}

test('a person connects the embedded calendar, sees its actions, and disconnects it', async () => {
  await begin('calendar')
  await page.getByRole('heading', { name: 'Connect Calendar' }).waitFor()
  await expectCleanPage()
  await takePicture('consent')
  await page.getByRole('button', { name: 'Allow' }).click()
  await confirm('demo account')
  expect(await page.textContent('body')).toBe('the settings of the app')
  const event = { title: 'Mixing', starts_at: '2027-01-02T09:00:00Z', ends_at: '2027-01-02T17:00:00Z', place: 'Room A' }
  expect((await api.execute(account, 'CALENDAR_ADD_EVENT', event)).status).toBe(200)
  const id = await readConnectionId('calendar')
  await page.goto(`${world.config.baseUrl}/consent/${id}`)
  expect(await page.getByRole('listitem').textContent()).toContain(
    '2027-01-02 09:00 UTC to 2027-01-02 17:00 UTC, Room A',
  )
  await expectCleanPage()
  await takePicture('calendar')
  expect((await api.disconnect(account, id)).status).toBe(200)
  expect((await page.reload())?.status()).toBe(404)
  expect((await api.execute(account, 'CALENDAR_LIST_EVENTS')).status).toBe(409)
})

test('a person who declines sees that nothing was connected and how to continue', async () => {
  await begin('notebook')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  await expectCleanPage()
  await takePicture('refused')
  await page.getByRole('link', { name: `Continue to ${new URL(app.url).host}` }).click()
  await page.waitForURL(settingsPage())
  expect(await api.findConnectionId(account, 'notebook')).toBeNull()
})

test('a person signs in to an external OAuth server and consents; the service is used and disconnected', async () => {
  await begin('studio')
  await page.locator('input[name=login]').fill('grace')
  await page.locator('input[name=password]').fill('anything')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
  await confirm('grace')
  const booking = { room: 'A', day: '2027-03-01' }
  expect((await api.execute(account, 'STUDIO_CREATE_BOOKING', { body: booking })).body.result).toEqual({ id: 1 })
  expect((await api.execute(account, 'STUDIO_LIST_BOOKINGS')).body.result).toEqual({ bookings: [booking] })
  const id = await readConnectionId('studio')
  expect((await api.disconnect(account, id)).status).toBe(200)
  expect((await api.execute(account, 'STUDIO_LIST_BOOKINGS')).status).toBe(409)
})
