export type ToolContext = {
  signal: AbortSignal
  /** Name under which the sandbox keeps the result of an effect. */
  receipt: string
  /** Environment of commands. */
  environment: Record<string, string>
}
