import { destination, pino, type DestinationStream, type Logger } from 'pino'

const secrets = ['authorization', 'x-api-key', 'cookie', 'key', 'token', 'access_token']
const pathPrefixes = ['', '*.', 'headers.', '*.headers.', 'body.', '*.body.']
const flushDelayMs = 10

/** Writes JSON lines to standard output, with a short delay. Redacts credentials. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: { part: 'api' },
      redact: pathPrefixes.flatMap((prefix) => secrets.map((name) => appendPath(prefix, name))),
    },
    createBufferedOutput(),
  )
}

/**
 * Combines the lines of a short interval into one write: a write per line would cost a request more than its routing.
 */
function createBufferedOutput(): DestinationStream {
  let lines = ''
  const flush = (): void => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  // Registered before the output, which flushes its buffer at exit.
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
