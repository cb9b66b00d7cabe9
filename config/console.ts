import { z } from 'zod'
import { parseUrl } from '../domain/fields/url.ts'
import { flag } from './values.ts'

const consoleNames = {
  CONSOLE: flag.default(true).meta({ description: 'Whether the API serves the console under /console.' }),
  CONSOLE_URL: z
    .url()
    .optional()
    .meta({ description: 'Origin of the console, when it is not that of BASE_URL. The same API serves it there.' }),
}
type Given = z.output<z.ZodObject<typeof consoleNames>>

export const consoleGroup = { names: consoleNames, faults: consoleFaults }

/** Where the console is, and where it finds the API: empty where both have one origin. */
export function consoleSettings(config: Given & { baseUrl: string }): { origin: string; apiOrigin: string } {
  const api = new URL(config.baseUrl).origin
  const origin = new URL(config.CONSOLE_URL ?? config.baseUrl).origin
  return { origin, apiOrigin: origin === api ? '' : api }
}

function consoleFaults({ CONSOLE_URL }: Given): string[] {
  const url = parseUrl(CONSOLE_URL ?? '')
  return url === undefined || url.href === `${url.origin}/` ? [] : [`CONSOLE_URL: ${url.href} is more than an origin.`]
}
