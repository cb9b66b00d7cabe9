import { destination, pino, type DestinationStream, type Logger } from 'pino'
import { serializeError } from '../../stack-trace.ts'

const secrets = ['authorization', 'x-api-key', 'cookie', 'key', 'token', 'access_token']
const pathPrefixes = ['', '*.', 'headers.', '*.headers.', 'body.', '*.body.']
const flushDelayMs = 10

/** Creates a logger that writes JSON lines to standard output after a short delay, and redacts credentials. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { part: 'api' },
      serializers: { err: serializeError },
      redact: pathPrefixes.flatMap((prefix) => secrets.map((name) => appendPath(prefix, name))),
    },
    createBufferedOutput(),
  )
}

/**
 * Combines the lines of ten milliseconds into one write, because a write per line would take longer than routing a request.
 */
function createBufferedOutput(): DestinationStream {
  let lines = ''
  const flush = (): void => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  // Registered before the output's own handler, which writes its buffer at exit.
  process.once('exit', flush)
  const output = destination({ sync: false })
  return {
    write: (line) => {
      if (lines === '') setTimeout(flush, flushDelayMs)
      lines += line
    },
  }
}

function appendPath(prefix: string, name: string): string {
  return name.includes('-') ? `${prefix.replace(/\.$/, '')}["${name}"]` : `${prefix}${name}`
}
