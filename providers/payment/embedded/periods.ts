/** Returns the day of `anchor` in the month after `start`, or the last day of a shorter month, in UTC. */
export function addMonth(start: Date, anchor: Date): Date {
  const next = new Date(start)
  next.setUTCDate(1)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(anchor.getUTCDate(), lastDay))
  return next
}

const dayMs = 24 * 60 * 60 * 1000

export function addDays(start: Date, days: number): Date {
  return new Date(start.getTime() + days * dayMs)
}
