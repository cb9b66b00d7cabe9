import { z } from 'zod'

export const codeHours = 24

/** The code of a verification email: six ASCII digits. */
export const verificationCode = z
  .string()
  .regex(/^[0-9]{6}$/, 'must be 6 digits')
  .meta({ pattern: '^[0-9]{6}$' })

/** Returns whether the address gets its key immediately: `agent+<name>` at the agents' domain. */
export function isAgentAddress(email: string, agentDomain: string | undefined): boolean {
  const [local = '', domain] = email.split('@')
  return domain === agentDomain && /^agent\+[a-z0-9._-]{1,64}$/.test(local)
}

/** Returns the name of a sign-up's key, with the day in UTC. */
export function agentKeyName(now: Date): string {
  return `Agent ${now.toISOString().slice(0, 10)}`
}
