import type { DrumBar, Pattern } from '../genres.ts'
import type { Random } from '../random.ts'
import type { Drum } from '../sound/drums.ts'

/** A hit. `step` is in sixteenths from the start of the bar. */
export type Hit = { step: number; velocity: number }

const loudness: Record<string, number> = { X: 1, x: 0.75, '-': 0.42 }

export function parseHits(pattern: Pattern): Hit[] {
  return pattern
    .split('')
    .flatMap((sign, step) => (loudness[sign] === undefined ? [] : [{ step, velocity: loudness[sign] }]))
}

/** Returns the sixteenths from each hit to the next; from the last hit to the end of the bar. */
export function measureGaps(hits: Hit[]): number[] {
  return hits.map(({ step }, index) => (hits[index + 1]?.step ?? 16) - step)
}

const fills: readonly DrumBar[] = [
  { kick: 'X...X...........', snare: '....X...x.x.xxxX' },
  { kick: 'X.......X.......', snare: '....X.......XX.X', tom: '........x.xx....' },
  { kick: 'X...X...X.......', tom: '..........x.xx..', snare: '....X.........XX' },
]

export type DrumHit = Hit & { drum: Drum }

/** Returns the hits of a bar with small random variations. */
export function playDrums(bar: DrumBar, random: Random): DrumHit[] {
  return listDrumHits(bar).map((hit) => ({ ...hit, velocity: hit.velocity * random.between(0.88, 1) }))
}

/** Returns the last bar of a phrase, with a fill in the second half. */
export function playFill(bar: DrumBar, random: Random): DrumHit[] {
  const fill = listDrumHits(random.pick(fills))
  return [...playDrums(bar, random).filter(({ step }) => step < 8), ...fill.filter(({ step }) => step >= 8)]
}

function listDrumHits(bar: DrumBar): DrumHit[] {
  return Object.entries(bar).flatMap(([drum, pattern]) =>
    parseHits(pattern).map((hit) => ({ ...hit, drum: drum as Drum })),
  )
}
