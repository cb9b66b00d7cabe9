import { genres, type Genre } from './genres.ts'
import { noteNames, type Key, type Mode } from './composing/harmony.ts'
import { createRandom, hashText, type Random } from './random.ts'

export type MusicRequest = { prompt: string; lyrics: string; seconds: number; seed: number }

/** Parameters of a track before composing. `isTempoFree`: the prompt has no tempo. */
export type Direction = { genre: Genre; key: Key; tempo: number; isTempoFree: boolean; random: Random }

const darkWords = [
  'sad',
  'dark',
  'melancholic',
  'melancholy',
  'moody',
  'lonely',
  'heartbreak',
  'haunting',
  'gloomy',
  'angry',
]
const brightWords = ['happy', 'bright', 'sunny', 'joyful', 'uplifting', 'cheerful', 'hopeful', 'euphoric', 'feel-good']
const fastWords = ['fast', 'energetic', 'driving', 'hype', 'uptempo', 'powerful', 'aggressive']
const slowWords = ['slow', 'slower', 'calm', 'gentle', 'soft', 'downtempo', 'tender']

const naturalNotes = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

/** Derives the parameters of a track from its prompt. The seed determines parameters that the prompt omits. */
export function readDirection({ prompt, seed }: MusicRequest): Direction {
  const random = createRandom(hashText(`${seed}/${prompt}`))
  const words = splitWords(prompt)
  const genre = findGenre(words, prompt) ?? random.pick(genres)
  const randomKey: Key = { tonic: Math.floor(random.next() * 12), mode: pickMode(genre, words, random) }
  const tempo = findTempo(prompt)
  return {
    genre,
    key: findKey(prompt) ?? randomKey,
    tempo: tempo ?? pickTempo(genre, words, random),
    isTempoFree: tempo === undefined,
    random,
  }
}

/** Describes the direction in words: `house, 124 bpm, E flat minor`. */
export function describeDirection({ genre, key, tempo }: Pick<Direction, 'genre' | 'key' | 'tempo'>): string {
  return `${genre.name}, ${Math.round(tempo)} bpm, ${noteNames[key.tonic]} ${key.mode}`
}

function splitWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}&-]+/gu) ?? [])
}

function findGenre(words: Set<string>, prompt: string): Genre | undefined {
  if (/drum\s*(?:and|&|n)\s*bass/i.test(prompt)) return genres.find(({ name }) => name === 'drum and bass')
  const countMatches = (genre: Genre): number => genre.words.filter((word) => words.has(word)).length
  const best = genres.reduce((left, right) => (countMatches(right) > countMatches(left) ? right : left))
  return countMatches(best) > 0 ? best : undefined
}

function pickMode(genre: Genre, words: Set<string>, random: Random): Mode {
  const genreMode = random.pick(genre.modes)
  if (darkWords.some((word) => words.has(word))) return 'minor'
  return brightWords.some((word) => words.has(word)) ? 'major' : genreMode
}

function findTempo(prompt: string): number | undefined {
  const tempo = /(\d{2,3})\s*bpm/i.exec(prompt)?.[1]
  return tempo === undefined ? undefined : Math.min(200, Math.max(50, Number(tempo)))
}

/** Parses a key, such as `in F# minor` or `key of B flat major`. */
function findKey(prompt: string): Key | undefined {
  const match = /\b([A-G])(#|♯|b|♭|[ -]?sharp|[ -]?flat)?[ -]?(major|minor)\b/i.exec(prompt)
  if (match === null) return undefined
  const [, letter = 'C', sign = '', mode = 'major'] = match
  const shift = /#|♯|sharp/i.test(sign) ? 1 : sign === '' ? 0 : -1
  const natural = naturalNotes[letter.toUpperCase() as keyof typeof naturalNotes]
  return { tonic: (natural + shift + 12) % 12, mode: mode.toLowerCase() as Mode }
}

function pickTempo({ tempo: [low, high] }: Genre, words: Set<string>, random: Random): number {
  if (fastWords.some((word) => words.has(word))) return high
  return slowWords.some((word) => words.has(word)) ? low : Math.round(random.between(low, high))
}
