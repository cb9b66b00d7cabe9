const units: readonly (readonly [minutes: number, name: string])[] = [
  [10_080, 'week'],
  [1440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
]

/** Formats minutes in the largest unit that divides them: 10,080 is `one week`, 90 is `90 minutes`. */
export function formatMinutes(minutes: number): string {
  const [length, name] = units.find(([unit]) => minutes % unit === 0) ?? [1, 'minute']
  const count = minutes / length
  return count === 1 ? `one ${name}` : `${count} ${name}s`
}
