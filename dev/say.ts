/** A command cannot continue, and the user can fix the cause. Printed without a stack trace. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
}

export type Print = (line: string) => void

export const print: Print = (line) => console.log(line)

/** Runs a command. If it throws, prints the error (only the message for errors that the user can fix) and exits with 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  // A closed pipe (`npm start | head`) must not end this process before it has stopped its children.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  try {
    await main()
  } catch (error) {
    const isFixable = error instanceof Error && (error.name === 'CommandRefusedError' || error.name === 'ConfigError')
    console.error(isFixable ? error.message : error)
    process.exit(1)
  }
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
