import { destination, pino, type Logger } from 'pino'

const secrets = ['authorization', 'x-api-key', 'cookie', 'key', 'token', 'access_token']
const places = ['', '*.', 'headers.', '*.headers.', 'body.', '*.body.']

/** Lines of JSON on standard output, written as the process finds time. Credentials never reach a line. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { part: 'api' },
      redact: places.flatMap((place) => secrets.map((name) => pathOf(place, name))),
    },
    destination({ sync: false }),
  )
}

function pathOf(place: string, name: string): string {
  return name.includes('-') ? `${place.replace(/\.$/, '')}["${name}"]` : `${place}${name}`
}
