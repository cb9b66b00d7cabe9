import { destination, pino } from 'pino'
import type { Logger } from 'pino'

const secrets = ['authorization', 'x-api-key', 'cookie', 'key', 'token', 'access_token']
const places = ['', '*.', 'headers.', '*.headers.', 'body.', '*.body.']

const pathOf = (place: string, name: string): string =>
  name.includes('-') ? `${place.replace(/\.$/, '')}["${name}"]` : `${place}${name}`

/** Lines of JSON on standard output, written as the process finds time. Credentials never reach a line. */
export const createLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: { part: 'api' },
      redact: places.flatMap((place) => secrets.map((name) => pathOf(place, name))),
    },
    destination({ sync: false }),
  )
