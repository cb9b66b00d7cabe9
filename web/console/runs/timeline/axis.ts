/** Units of the distance between ticks, in milliseconds. */
const units = [1, 1000, 60_000, 3_600_000, 86_400_000]
const multiples = [1, 2, 5, 10, 15, 30, 60, 100, 200, 500]
const maxTicks = 6

type Tick = { share: number; label: string }

/** Returns ticks at round times for a time axis that starts at zero. `share`: position of a tick, from 0 to 1. */
export function computeTicks(totalMs: number): Tick[] {
  const steps = units.flatMap((unit) => multiples.map((multiple) => unit * multiple)).toSorted((a, b) => a - b)
  const step = steps.find((ms) => totalMs / ms < maxTicks) ?? totalMs
  const count = Math.floor(totalMs / step)
  return Array.from({ length: count + 1 }, (_, index) => ({
    share: (index * step) / totalMs,
    label: formatTick(index * step, step),
  }))
}

function formatTick(ms: number, step: number): string {
  if (ms === 0) return '0'
  if (step < 1000) return `${ms} ms`
  if (step < 60_000) return ms < 60_000 ? `${ms / 1000} s` : `${Math.floor(ms / 60_000)}:${pad((ms / 1000) % 60)}`
  if (step < 3_600_000) return `${ms / 60_000} min`
  return `${ms / 3_600_000} h`
}

function pad(seconds: number): string {
  return String(Math.round(seconds)).padStart(2, '0')
}
