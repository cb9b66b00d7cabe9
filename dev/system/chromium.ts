import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { print, type Print } from '../say.ts'
import { ensurePackage } from './packages.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Launches Chromium. Prints the reason and returns undefined if it is not available. `getSwitches` returns additional
 * switches and is called only if Chromium is available.
 */
export async function launchChromium(
  getSwitches: () => Promise<string[]> = async () => [],
  say: Print = print,
): Promise<Browser | undefined> {
  const executablePath = await ensureChromium(say)
  if (executablePath === undefined) return undefined
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
  return chromium.launch({ executablePath, args: [...args, ...(await getSwitches())] })
}

/** Finds the browser of the tests and installs it if possible. Otherwise prints how to install it and returns undefined. */
export async function ensureChromium(print: Print): Promise<string | undefined> {
  const browser = {
    name: 'chromium',
    isInstalled: () => findChromium() !== undefined,
    purpose: 'tests read streams in a browser. This takes at most a few minutes',
    without: 'the browser tests are skipped. To run them',
    timeoutMs: 300_000,
  }
  await ensurePackage(browser, print)
  return findChromium()
}

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...macPaths].find(existsSync)
}
