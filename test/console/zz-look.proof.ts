import { test } from 'vitest'
import { mkdir } from 'node:fs/promises'
import { createWorld } from '../world/world.ts'
import { creditAccount } from '../../db/credits/ledger.ts'
import { adminOrganization, fillAccount } from './account.ts'
import { smallClips } from '../content/content-api.ts'
import { launchBrowser, openConsole, signInByKey } from './browser.ts'

test('look', { timeout: 900_000 }, async () => {
  let world!: Awaited<ReturnType<typeof createWorld>>
  let address = ''
  const browser = await launchBrowser(async () => {
    world = await createWorld({ settings: { CONSOLE: 'on', ADMIN_ORGANIZATION_ID: adminOrganization, ...smallClips } })
    address = world.config.baseUrl
    return [`--host-resolver-rules=MAP ${new URL(address).host} ${new URL(world.baseUrl).host}`]
  })
  if (!browser) return
  const owner = await world.makeAccount({ credits: 10_000_000 })
  const pages = await fillAccount(world, owner)
  await world.db.begin(async (tx) => {
    for (let n = 1; n < 60; n++) await creditAccount(tx, { accountId: owner.id, amount: n * 1000, reference: `grant ${n}`, kind: 'grant', reason: `number ${n}` })
  })
  await world.db`insert into background_runs (id, account_id, task_identifier, version, status, created_at, finished_at, error)
    values ('wrun_a', ${owner.id}, 'render-music', '1', 'FAILED', now(), now(), '{"message":"The renderer did not respond in time (504) and the job was given up after three attempts"}'),
     ('wrun_b', ${owner.id}, 'render-music', '1', 'EXECUTING', now(), null, null)`
  const folder = '/tmp/look'
  await mkdir(folder, { recursive: true })
  const want = /^\/(runs|money|catalogs.*|valuation|scraping.*|connectors.*|operator|files.*|tasks|artists|commits.*|keys|organizations)$/
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440]) {
      const { page, context } = await openConsole(browser, address, { colorScheme, viewport: { width, height: 900 } })
      await page.goto(`${address}/console/chat`)
      await signInByKey(page, owner.key)
      const go = (path: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`)
      const shot = async (name: string, tall = true) => {
        if (tall) await page.setViewportSize({ width, height: 2200 })
        await page.waitForTimeout(400)
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` })
        await page.setViewportSize({ width, height: 900 })
      }
      for (const [path, shown] of pages) {
        if (!want.test(path)) continue
        await go(path)
        await page.locator('main', { hasText: shown }).waitFor()
        const name = path.replaceAll(/[^a-z]+/g, '_').slice(0, 24)
        if (path === '/connectors/notebook' || path === '/artists') for (const summary of await page.locator('details.fold > summary').all()) await summary.click()
        if (path === '/money') {
          await page.getByRole('region', { name: 'Ledger', exact: true }).getByRole('button', { name: 'Credits' }).click()
          await page.getByLabel('Filter: Ledger').fill('number 1')
        }
        if (path === '/valuation') {
          await page.getByRole('combobox', { name: 'Artist' }).fill('velvet')
          await page.getByRole('option').first().waitFor()
          await page.keyboard.press('ArrowDown')
        }
        if (path === '/runs') await page.getByRole('columnheader', { name: 'Took' }).getByRole('button').click()
        await shot(name)
      }
      await context.close()
    }
  await browser.close()
  await world.close()
})
