/** A reason not to continue that a person can act on: printed as its one sentence, without a stack. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError'
}

export type Print = (line: string) => void

export const print: Print = (line) => console.log(line)

/** Runs a command of this folder: its refusals and wrong settings become one sentence and exit code 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  // A reader that went away (`npm start | head`) is no reason to leave processes behind.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  try {
    await main()
  } catch (error) {
    const known = error instanceof Error && (error.name === 'CommandRefusedError' || error.name === 'ConfigError')
    console.error(known ? error.message : error)
    process.exit(1)
  }
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
