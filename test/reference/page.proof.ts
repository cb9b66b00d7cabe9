import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchChromium } from '../../dev/system/chromium.ts'
import { listAccessibilityFaults } from '../world/accessibility.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
let browser: Browser | undefined

beforeAll(async () => {
  browser = await launchChromium(async () => {
    world = await createWorld({ worker: false })
    return []
  })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
})
beforeEach(({ skip }) => {
  if (browser === undefined) skip('there is no Chromium')
})

test.each(['light', 'dark'] as const)(
  'in the %s color scheme, the reference page with an expanded tag and operation is accessible',
  async (colorScheme) => {
    const context = await browser!.newContext({ colorScheme })
    const page = await context.newPage()
    const problems: string[] = []
    context.on('request', (request) => {
      if (!request.url().startsWith('data:') && !request.url().startsWith(world.baseUrl)) problems.push(request.url())
    })
    context.on('weberror', (error) => problems.push(String(error.error())))
    await page.goto(`${world.baseUrl}/reference`)
    await page.locator('.opblock-tag').first().waitFor()
    expect(await listAccessibilityFaults(page, colorScheme)).toEqual([])
    await page.locator('.opblock-tag button').first().click()
    await page.locator('.opblock-summary-control').first().click()
    await page.locator('.opblock-body').first().waitFor()
    expect(await listAccessibilityFaults(page, colorScheme)).toEqual([])
    await page.locator('.try-out__btn').first().click()
    expect(await listAccessibilityFaults(page, colorScheme)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  },
)
