/** A pattern that is invalid or uses what is not supported. Its text is for the agent. */
export class RegexError extends Error {
  override readonly name = 'RegexError'
}
