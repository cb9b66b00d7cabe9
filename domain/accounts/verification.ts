import { z } from 'zod'

export const codeHours = 24

/** The code of a verification mail: six ASCII digits. */
export const verificationCode = z
  .string()
  .regex(/^[0-9]{6}$/, 'must be 6 digits')
  .meta({ pattern: '^[0-9]{6}$' })

/** True for an address that gets its key immediately: `agent+<name>` at the domain of agents. */
export function isAgentAddress(email: string, agentDomain: string | undefined): boolean {
  const [local = '', domain] = email.split('@')
  return domain === agentDomain && /^agent\+[a-z0-9._-]{1,64}$/.test(local)
}

/** Name of a sign-up's key: the day in UTC. */
export function agentKeyName(now: Date): string {
  return `Agent ${now.toISOString().slice(0, 10)}`
}
