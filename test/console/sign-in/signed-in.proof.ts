import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { developmentToken } from '../../../providers/identity/development-token.ts'
import { eventually } from '../../world/world.ts'
import { openPath, openConsole, type OpenConsole } from '../browser.ts'
import { address, browser, useConsoleWorld, world } from '../console-world.ts'

let opened: OpenConsole
let page: Page

useConsoleWorld()
afterEach(() => opened?.context.close())

/** Signs in on the page of the embedded issuer. */
const signInAs = async (email: string): Promise<void> => {
  opened = await openConsole(browser, address)
  page = opened.page
  const token = developmentToken(world.config.SERVER_SECRET ?? '')
  await page.goto(`${address}/identity/open/${token}?email=${email}`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/identity/authorize**')
  await page.locator('form button').first().click()
  await page.locator('.shell').waitFor()
}

const readCookie = async (): Promise<string | undefined> =>
  (await opened.context.cookies()).find(({ name }) => name === 'backline_console')?.value

/** Moves the last rotation of the cookie back by a minute, so that the cookie is rotated at its next use. */
const endGracePeriod = () => world.db`update console_sign_ins set rotated_at = now() - interval '61 seconds'`

test('a person stays signed in across reloads, with a rotating cookie that scripts cannot read', async () => {
  await signInAs('stays@example.com')
  await openPath(page, '/tasks')
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  const first = await readCookie()
  expect(await page.evaluate('[document.cookie, { ...localStorage }, { ...sessionStorage }]')).toEqual(['', {}, {}])
  await endGracePeriod()
  await page.reload()
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/tasks')
  expect([first === undefined, (await readCookie()) === first]).toEqual([false, false])
  expect(opened.errors).toEqual([])
})

test('tabs that open concurrently all stay signed in', async () => {
  await signInAs('tabs@example.com')
  await endGracePeriod()
  const tabs = await Promise.all([1, 2, 3, 4].map(() => opened.context.newPage()))
  await Promise.all(tabs.map((tab) => tab.goto(`${address}/console/tasks`)))
  for (const tab of tabs) await tab.locator('.shell').waitFor()
})

test('an expired token is renewed without a notice', async () => {
  await signInAs('renews@example.com')
  let renewals = 0
  page.on('request', (request) => (renewals += request.url().endsWith('/sign-ins/token') ? 1 : 0))
  // The API rejects the token once.
  await page.route('**/api/tasks**', (route) => route.fulfill({ status: 401, json: { error: 'Unauthorized' } }), {
    times: 1,
  })
  await openPath(page, '/tasks')
  await page.getByText('No tasks yet.').waitFor()
  expect(renewals).toBe(1)
  expect(await page.getByText('Your sign-in has ended').count()).toBe(0)
})

test('the account page lists browsers and signs one out immediately, and signing out applies to all tabs', async () => {
  await signInAs('lists@example.com')
  const current = opened
  await signInAs('lists@example.com')
  const other = opened
  await openPath(current.page, '/account')
  const rows = current.page.getByRole('region', { name: 'Signed-in browsers' }).locator('tbody tr')
  await rows.nth(1).waitFor()
  const { violations } = await new AxeBuilder({ page: current.page }).analyze()
  expect(violations).toEqual([])
  await rows.filter({ hasNotText: 'this browser' }).getByRole('button').click()
  await eventually('one browser', async () => ((await rows.count()) === 1 ? true : undefined))
  await openPath(other.page, '/keys')
  await other.page.getByText('Your sign-in has ended').waitFor()
  await other.context.close()
  const tab = await current.context.newPage()
  await tab.goto(`${address}/console/tasks`)
  await tab.locator('.shell').waitFor()
  await current.page.getByRole('button', { name: 'Account menu' }).click()
  await current.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await current.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await openPath(tab, '/keys')
  await tab.getByText('Your sign-in has ended').waitFor()
  await tab.reload()
  await tab.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  opened = current
})

test('the fee is shown before credits are bought, and the checkout returns to a receipt with the new balance', async () => {
  await signInAs('buyer@example.com')
  await openPath(page, '/money')
  await page.locator('input[name=dollars]').fill('25')
  await page.getByText('You pay $26.06').waitFor()
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.waitForURL('**/checkout/**')
  await payInCheckout()
  await page.waitForURL('**/console/receipt**')
  await page.getByText('The payment is complete: $25.00 of credits').waitFor()
  const facts = page.locator('dl')
  await facts.filter({ hasText: '$26.06' }).waitFor()
  await facts.filter({ hasText: /New balance\s*\$2[58]\.\d\d/ }).waitFor()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations).toEqual([])
  expect(opened.errors).toEqual([])
})

/** Pays on the page of the embedded payment provider. */
const payInCheckout = async (): Promise<void> => {
  const fields = { number: '4242424242424242', expiry: '12/40', cvc: '123' }
  for (const [name, value] of Object.entries(fields)) await page.locator(`input[name=${name}]`).fill(value)
  await page.locator('form button').first().click()
}
