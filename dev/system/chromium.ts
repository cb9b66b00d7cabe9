import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Print } from '../say.ts'
import { ensurePackage } from './packages.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Finds the browser of the tests and installs it if possible. Otherwise prints how to install it and returns undefined. */
export async function ensureChromium(print: Print): Promise<string | undefined> {
  const chromium = {
    name: 'chromium',
    isInstalled: () => findChromium() !== undefined,
    purpose: 'tests read streams in a browser. This takes at most a few minutes',
    without: 'the browser tests are skipped. To run them',
    timeoutMs: 300_000,
  }
  await ensurePackage(chromium, print)
  return findChromium()
}

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...macPaths].find(existsSync)
}
