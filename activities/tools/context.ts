import type { NetworkAccess } from '../../providers/sandbox/network/access.ts'
import type { Skill } from '../../domain/tools/skills.ts'

export type ToolContext = {
  signal: AbortSignal
  /** Name under which the sandbox keeps the result of an effect. */
  receipt: string
  /** Environment of commands. */
  environment: Record<string, string>
  /** What commands may reach. Absent: nothing. */
  network?: NetworkAccess
  /** The skills that the turn began with. */
  skills?: () => Promise<Skill[]>
}
