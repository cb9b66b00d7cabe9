/** Thrown for an invalid pattern and for unsupported syntax. The message is for the agent. */
export class RegexError extends Error {
  override readonly name = 'RegexError'
}
