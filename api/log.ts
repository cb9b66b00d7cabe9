import { pino } from 'pino'
import type { Logger } from 'pino'

const secretNames = ['authorization', '["x-api-key"]', 'cookie', 'key', 'token', 'access_token', 'client_secret']

/** Lines of JSON on standard output. Credentials are removed wherever an object of a line holds them. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: { part: 'api' },
    redact: secretNames.flatMap((name) => {
      const member = name.startsWith('[') ? name : `.${name}`
      return [name, `*${member}`, `headers${member}`, `*.headers${member}`, `body${member}`, `*.body${member}`]
    }),
  })
