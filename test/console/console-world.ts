import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { launchChromium } from '../../dev/system/chromium.ts'
import { createWorld, type World, type WorldOptions } from '../world/world.ts'

export let world: World
export let browser: Browser
/** Configured URL of the service. The browser maps its host to the port on which the API listens. */
export let address: string

/** Starts a world with the console and a browser for the tests of this file. Skips the tests if there is no Chromium. */
export const useConsoleWorld = ({ settings, ...options }: WorldOptions = {}): void => {
  let launched: Browser | undefined
  beforeAll(async () => {
    launched = await launchChromium(async () => {
      world = await createWorld({ ...options, settings: { CONSOLE: 'on', ...settings } })
      address = world.config.baseUrl
      return [`--host-resolver-rules=MAP ${new URL(address).host} ${new URL(world.baseUrl).host}`]
    })
    if (launched !== undefined) browser = launched
  }, 600_000)
  beforeEach(({ skip }) => {
    if (launched === undefined) skip('Chromium is not available')
  })
  afterAll(async () => {
    if (launched === undefined) return
    await launched.close()
    await world.close()
  })
}
