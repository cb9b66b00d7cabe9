/** An engine that brings a turn so much later than its head start is behind: further head starts would only add to its backlog. */
const behindMs = 1000
/** The activity of a head start that has not arrived by then ran in another process. */
const forgottenMs = 60_000

export type EngineLag = ReturnType<typeof createEngineLag>

/**
 * Compares when turns were begun here with when the engine brings them. A turn that its head start has ended still costs the
 * engine a workflow, so an engine that is behind gets as long as it is late to catch up.
 */
export function createEngineLag(now = (): number => performance.now()) {
  // In the order in which they were begun.
  const begun = new Map<string, number>()
  let behindUntil = 0

  const forget = (): void => {
    for (const [runId, at] of begun) {
      if (now() - at < forgottenMs) return
      begun.delete(runId)
    }
  }

  return {
    begin: (runId: string): void => {
      forget()
      begun.set(runId, now())
    },
    /** The engine has brought the turn to this process. */
    arrive: (runId: string): void => {
      const at = begun.get(runId)
      if (!begun.delete(runId) || at === undefined) return
      const lag = now() - at
      if (lag > behindMs) behindUntil = Math.max(behindUntil, now() + lag)
    },
    isBehind: (): boolean => now() < behindUntil,
  }
}
