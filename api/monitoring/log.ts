import { destination, pino, type DestinationStream, type Logger } from 'pino'

const secrets = ['authorization', 'x-api-key', 'cookie', 'key', 'token', 'access_token']
const places = ['', '*.', 'headers.', '*.headers.', 'body.', '*.body.']
const gatherMs = 10

/** Writes JSON lines to standard output, with a short delay. Redacts credentials. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { part: 'api' },
      redact: places.flatMap((place) => secrets.map((name) => appendPath(place, name))),
    },
    gathered(),
  )
}

/**
 * Combines the lines of a short interval into one write: a write per line would cost a request more than its routing.
 */
function gathered(): DestinationStream {
  let lines = ''
  const pass = (): void => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  // Registered before the output, which at exit flushes what it has received.
  process.once('exit', pass)
  const output = destination({ sync: false })
  return {
    write: (line) => {
      if (lines === '') setTimeout(pass, gatherMs)
      lines += line
    },
  }
}

function appendPath(place: string, name: string): string {
  return name.includes('-') ? `${place.replace(/\.$/, '')}["${name}"]` : `${place}${name}`
}
