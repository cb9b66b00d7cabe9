/** An invalid pattern, or one with unsupported syntax. The message is for the agent. */
export class RegexError extends Error {
  override readonly name = 'RegexError'
}
