import type { NetworkAccess } from '../../providers/sandbox/network/access.ts'
import type { Skill } from '../../domain/tools/skills.ts'

export type ToolContext = {
  signal: AbortSignal
  /** Name under which the sandbox stores the result of an effect. */
  receipt: string
  /** Environment of commands. */
  environment: Record<string, string>
  /** Network access of commands. Absent: none. */
  network?: NetworkAccess
  /** The skills at the start of the turn. */
  skills?: () => Promise<Skill[]>
}
