import { destination, pino, type DestinationStream, type Logger } from 'pino'

const secrets = ['authorization', 'x-api-key', 'cookie', 'key', 'token', 'access_token']
const places = ['', '*.', 'headers.', '*.headers.', 'body.', '*.body.']
const gatherMs = 10

/** Lines of JSON on standard output, a moment late. Credentials never reach a line. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { part: 'api' },
      redact: places.flatMap((place) => secrets.map((name) => pathOf(place, name))),
    },
    gathered(),
  )
}

/** The lines of a moment are one write: one of each would cost a request more than its routing does. */
function gathered(): DestinationStream {
  let lines = ''
  const pass = (): void => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  // Before the output, which at the exit writes what it still has.
  process.once('exit', pass)
  const output = destination({ sync: false })
  return {
    write: (line) => {
      if (lines === '') setTimeout(pass, gatherMs)
      lines += line
    },
  }
}

function pathOf(place: string, name: string): string {
  return name.includes('-') ? `${place.replace(/\.$/, '')}["${name}"]` : `${place}${name}`
}
