import { AxeBuilder } from '@axe-core/playwright'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { creditAccount } from '../../db/credits/ledger.ts'
import { eventually, type TestAccount } from '../world/world.ts'
import { hostile } from './account.ts'
import { openConsole, signInByKey, type OpenConsole } from './browser.ts'
import { address, browser, useConsoleWorld, world } from './console-world.ts'

let account: TestAccount
let opened: OpenConsole
let page: Page

useConsoleWorld()
beforeEach(async () => {
  account = await world.makeAccount({ credits: 10_000_000 })
})
afterEach(() => opened?.context.close())

const open = async (path: string): Promise<void> => {
  opened = await openConsole(browser, address, { viewport: { width: 1280, height: 900 } })
  page = opened.page
  await page.goto(`${address}/console${path}`)
  await signInByKey(page, account.key)
}

const listViolations = async (): Promise<string[]> =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)

/** Credits the account with grants of 1, 2, 3 … credits. The reference of the first grant is a formula. */
const grantCredits = (count: number): Promise<unknown> =>
  world.db.begin(async (tx) => {
    for (let amount = 1; amount <= count; amount++)
      await creditAccount(tx, {
        accountId: account.id,
        amount,
        reference: amount === 1 ? `=1+${account.id}` : `${account.id}, "${amount}"`,
        kind: 'grant',
        reason: amount < 4 ? 'few' : 'many',
      })
  })

test('a table loads all rows before it is sorted, filtered or exported as CSV', async () => {
  await grantCredits(60)
  await open('/money')
  const ledger = page.getByRole('region', { name: 'Ledger', exact: true })
  const rows = ledger.locator('tbody tr')
  const creditsHead = ledger.getByRole('columnheader', { name: 'Credits' })
  await rows.first().waitFor()
  expect(await rows.count()).toBe(50)
  expect(await creditsHead.getAttribute('aria-sort')).toBeNull()
  await creditsHead.getByRole('button').click()
  await rows.first().filter({ hasText: 'Grant: few' }).waitFor()
  await eventually('all rows', async () => (await rows.count()) > 60 || undefined)
  expect(await creditsHead.getAttribute('aria-sort')).toBe('ascending')
  await creditsHead.getByRole('button').click()
  await rows.nth(1).filter({ hasText: ', "60"' }).waitFor()
  expect(await creditsHead.getAttribute('aria-sort')).toBe('descending')
  await page.getByLabel('Filter: Ledger').fill('FEW grant')
  await eventually('the matching rows', async () => (await rows.count()) === 3 || undefined)
  expect(await listViolations()).toEqual([])
  const lines = await exportCsv('Ledger')
  expect(lines[0]).toBe('\uFEFFTime,Description,Run,Source,Reference,Credits,Balance')
  expect(lines).toHaveLength(4)
  expect(lines.at(-1)).toMatch(/^2\d{3}-\S+Z,Grant: few,,,'=1\+[-0-9a-f]+,1,\d+$/)
  expect(lines[1]).toContain(`,"${account.id}, ""3""",3,`)
  expect(opened.errors).toEqual([])
})

/** Exports the table. Returns the lines of the file. */
const exportCsv = async (caption: string): Promise<string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export CSV: ${caption}` }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${caption.toLowerCase()}.csv`)
  return (await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, -1)
}

test('an artist is selected by name with the keyboard, and an unknown name is rejected', async () => {
  await open('/valuation')
  const field = page.getByRole('combobox', { name: 'Artist' })
  await field.fill('no such name')
  await page.getByText('No artist has this name.').waitFor()
  await field.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Choose an artist from the list' }).waitFor()
  await field.fill('velvet')
  await page.getByRole('option', { name: 'Velvet' }).first().waitFor()
  expect(await listViolations()).toEqual([])
  await field.press('ArrowDown')
  await field.press('Enter')
  const name = await field.inputValue()
  expect(name).toContain('Velvet')
  const [request] = await Promise.all([
    page.waitForRequest('**/api/valuation'),
    page.getByRole('button', { name: 'Run valuation' }).click(),
  ])
  expect(request.postDataJSON()).toEqual({ streaming_artist_id: expect.stringMatching(/^artist\d+$/) })
  await page.locator('.band figcaption').waitFor()
  expect(opened.errors).toEqual([])
})

test('a service is connected in another tab, used with a form and with JSON, and disconnected', async () => {
  await open('/connectors')
  const { context, errors } = opened
  const [consent] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Connect: Notebook (demo)' }).click(),
  ])
  await consent.getByRole('button', { name: 'Allow' }).click()
  await consent.getByText('Return to the tab where you started').waitFor()
  await page.getByText(`the account demo account of Notebook (demo) to the account ${account.email}`).waitFor()
  await page.getByRole('button', { name: 'Confirm: Notebook (demo)' }).click()
  await page.getByRole('button', { name: 'Disconnect: Notebook (demo)' }).waitFor()
  await page.getByRole('link', { name: 'Notebook (demo)', exact: true }).click()

  const deletion = await openAction('Delete a note')
  await deletion.getByLabel('Id').fill('not-an-id')
  await deletion.getByRole('button', { name: 'Execute' }).click()
  await deletion.getByText('This must match format "uuid".').waitFor()
  expect(await deletion.getByLabel('Id').getAttribute('aria-invalid')).toBe('true')
  expect(await deletion.getByText('parameters.id').count()).toBe(0)
  expect(await listViolations()).toEqual([])

  const addition = await openAction('Add a note')
  await addition.getByLabel('Title').fill(hostile)
  await addition.getByLabel('Text').fill(hostile)
  await addition.getByRole('button', { name: 'Execute' }).click()
  await addition.locator('pre.output', { hasText: 'onerror' }).waitFor()
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined()

  await addition.getByRole('button', { name: 'Edit as JSON' }).click()
  const json = addition.getByLabel('Parameters as JSON')
  expect(JSON.parse(await json.inputValue())).toEqual({ title: hostile, text: hostile })
  for (const [text, error] of [
    ['{"title":', 'not valid JSON'],
    ['[]', 'a JSON object'],
    ['{"title":"","text":""}', 'parameters.title must NOT have fewer than 1 characters'],
  ] as const) {
    await json.fill(text)
    await addition.getByRole('button', { name: 'Execute' }).click()
    await addition.getByRole('alert').filter({ hasText: error }).waitFor()
  }
  await json.fill('{"title":"One","text":"","more":1}')
  await addition.getByRole('button', { name: 'Use the form' }).click()
  await page.getByText('The form cannot represent all of these parameters.').waitFor()
  await json.fill('{"title":"One","text":""}')
  await addition.getByRole('button', { name: 'Use the form' }).click()
  expect(await addition.getByLabel('Title').inputValue()).toBe('One')

  await page.getByRole('button', { name: 'Disconnect: Notebook (demo)' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('Connect this service to execute its actions.').waitFor()
  expect(errors).toEqual([])
})

const openAction = async (name: string): Promise<Locator> => {
  const action = page.locator('details', { has: page.getByText(name, { exact: true }) })
  await action.locator('summary').click()
  return action
}
