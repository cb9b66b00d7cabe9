import type { Key, Mode } from './composing/harmony.ts'
import { genres, type Genre } from './genres.ts'
import { createRandom } from './random.ts'

export type MusicRequest = { prompt: string; lyrics: string; seconds: number; seed: number }

/** Parameters of a track before composing. `isTempoFree`: the prompt has no tempo. `seed` prefixes names of sequences. */
export type Direction = { genre: Genre; key: Key; tempo: number; isTempoFree: boolean; seed: string }

/** Words of a prompt that select a mode or a tempo. */
const moods = {
  minor: 'sad dark melancholic melancholy moody lonely heartbreak haunting gloomy angry',
  major: 'happy bright sunny joyful uplifting cheerful hopeful euphoric feel-good',
  fast: 'fast energetic driving hype uptempo powerful aggressive',
  slow: 'slow slower calm gentle soft downtempo tender',
}

/** Derives the parameters of a track from its prompt. The seed determines parameters that the prompt omits. */
export function readDirection({ prompt, seed: number }: Pick<MusicRequest, 'prompt' | 'seed'>): Direction {
  const seed = `${number}/${prompt}`
  const random = createRandom(seed)
  const promptWords = new Set(prompt.toLowerCase().match(/[\p{L}\p{N}&-]+/gu) ?? [])
  const countMatches = (words: string): number => words.split(' ').filter((word) => promptWords.has(word)).length
  const genre = findGenre(prompt, countMatches) ?? random.pick(genres)
  const [slowest, fastest] = genre.feel.tempo
  const tonic = Math.floor(random.next() * 12)
  const mode = (['minor', 'major'] as const).find((mood) => countMatches(moods[mood]) > 0)
  const low = countMatches(moods.fast) > 0 ? fastest : slowest
  const high = low === slowest && countMatches(moods.slow) > 0 ? slowest : fastest
  const tempo = /(\d{2,3})\s*bpm/i.exec(prompt)?.[1]
  return {
    genre,
    key: findKey(prompt) ?? { tonic, mode: mode ?? random.pick(genre.feel.modes) },
    tempo: tempo === undefined ? Math.round(random.between(low, high)) : Math.min(200, Math.max(50, Number(tempo))),
    isTempoFree: tempo === undefined,
    seed,
  }
}

const noteNames = 'C,C sharp,D,E flat,E,F,F sharp,G,A flat,A,B flat,B'.split(',')

/** Describes the direction in words: `house, 124 bpm, E flat minor`. */
export function describeDirection({ genre, key, tempo }: Pick<Direction, 'genre' | 'key' | 'tempo'>): string {
  return `${genre.name}, ${Math.round(tempo)} bpm, ${noteNames[key.tonic]} ${key.mode}`
}

function findGenre(prompt: string, countMatches: (words: string) => number): Genre | undefined {
  if (/drum\s*(?:and|&|n)\s*bass/i.test(prompt)) return genres.find(({ name }) => name === 'drum and bass')
  const ranked = genres.map((genre) => ({ genre, matches: countMatches(genre.words) }))
  const best = ranked.reduce((left, right) => (right.matches > left.matches ? right : left))
  return best.matches > 0 ? best.genre : undefined
}

/** Parses a key, such as `in F# minor` or `key of B flat major`. */
function findKey(prompt: string): Key | undefined {
  const match = /\b([A-G])(#|♯|b|♭|[ -]?sharp|[ -]?flat)?[ -]?(major|minor)\b/i.exec(prompt)
  if (match === null) return undefined
  const [, letter = 'C', sign = '', mode = 'major'] = match
  const shift = /#|♯|sharp/i.test(sign) ? 1 : sign === '' ? 0 : -1
  return { tonic: (noteNames.indexOf(letter.toUpperCase()) + shift + 12) % 12, mode: mode.toLowerCase() as Mode }
}
