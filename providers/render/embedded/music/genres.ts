import type { Mode } from './composing/harmony.ts'
import type { Drum, Voice } from './sound/sounds.ts'

/** A bar in sixteenths: `X` accented, `x` normal, `-` soft, `.` rest. */
export type Pattern = string

/** `words`: words of a prompt that select the genre. */
export type Genre = {
  name: string
  words: string
  /** `tempo`: beats per minute. `swing`: fraction of a sixteenth by which every second sixteenth is delayed. */
  feel: { tempo: readonly [low: number, high: number]; modes: readonly Mode[]; swing: number; sevenths: boolean }
  drums: Partial<Record<Drum, Pattern>>
  sounds: { bass: readonly [Voice, Pattern]; chords: readonly [Voice, Pattern]; lead: Voice }
}

const eighths = 'x.x.x.x.x.x.x.x.'
const backbeat = '....X.......X...'
const fourOnTheFloor = 'X...X...X...X...'
const offbeats = '..x...x...x...x.'

export const genres: readonly Genre[] = [
  {
    name: 'pop',
    words: 'pop radio anthem catchy indie latin summer reggaeton afrobeats',
    feel: { tempo: [98, 122], modes: ['major', 'minor'], swing: 0, sevenths: false },
    drums: { kick: 'X......xX.......', snare: backbeat, hat: eighths },
    sounds: { bass: ['bass', 'X.x...x.X.x...x.'], chords: ['keys', 'X.....x...x.....'], lead: 'lead' },
  },
  {
    name: 'house',
    words: 'house dance club disco edm party electronic synthwave retro 80s',
    feel: { tempo: [120, 126], modes: ['minor', 'dorian'], swing: 0.08, sevenths: true },
    drums: { kick: fourOnTheFloor, clap: backbeat, openHat: offbeats },
    sounds: { bass: ['bass', '..X..xX...X..xX.'], chords: ['keys', 'X..X..X...X..X..'], lead: 'pluck' },
  },
  {
    name: 'techno',
    words: 'techno rave industrial acid warehouse',
    feel: { tempo: [128, 136], modes: ['minor'], swing: 0, sevenths: false },
    drums: { kick: fourOnTheFloor, hat: offbeats, rim: '...x..x....x..x.' },
    sounds: { bass: ['bass', '.xxX.xxX.xxX.xxX'], chords: ['pluck', '...x......x.....'], lead: 'pluck' },
  },
  {
    name: 'hip hop',
    words: 'hip hiphop hip-hop boom bap rap trap drill 808',
    feel: { tempo: [84, 94], modes: ['minor', 'dorian'], swing: 0.22, sevenths: true },
    drums: { kick: 'X..x..x...X..x..', snare: backbeat, hat: 'x.x.x.x-x.x.x.x.' },
    sounds: { bass: ['sub', 'X..x......X..x..'], chords: ['keys', 'X.......x..x....'], lead: 'lead' },
  },
  {
    name: 'lofi',
    words: 'lofi lo-fi study chillhop chill bedroom relaxing mellow rnb r&b soul neo-soul smooth groove funk',
    feel: { tempo: [72, 90], modes: ['major', 'dorian'], swing: 0.26, sevenths: true },
    drums: { kick: 'X......x..x.....', snare: backbeat, hat: '-.x.-.x.-.x.-.x.' },
    sounds: { bass: ['sub', 'X.....x...x..x..'], chords: ['keys', 'X.........x.....'], lead: 'bell' },
  },
  {
    name: 'rock',
    words: 'rock punk grunge guitar guitars metal band alternative',
    feel: { tempo: [112, 140], modes: ['minor', 'major'], swing: 0, sevenths: false },
    drums: { kick: 'X.....x.X.......', snare: backbeat, hat: 'X.x.X.x.X.x.X.x.' },
    sounds: { bass: ['bass', 'X.x.x.x.X.x.x.x.'], chords: ['guitar', 'X.x.x.x.X.x.x.x.'], lead: 'lead' },
  },
  {
    name: 'drum and bass',
    words: 'dnb d&b jungle breakbeat liquid',
    feel: { tempo: [168, 176], modes: ['minor', 'dorian'], swing: 0, sevenths: true },
    drums: { kick: 'X.........x.....', snare: backbeat, hat: eighths, rim: '.......x.x......' },
    sounds: { bass: ['sub', 'X.....x...x..x..'], chords: ['keys', 'X...............'], lead: 'pluck' },
  },
  {
    name: 'folk',
    words: 'folk acoustic country campfire singer-songwriter americana ballad piano',
    feel: { tempo: [76, 104], modes: ['major'], swing: 0, sevenths: false },
    drums: { kick: 'X.......x.......', shaker: 'x-x-x-x-x-x-x-x-' },
    sounds: { bass: ['sub', 'X.....x.X.....x.'], chords: ['guitar', 'X..x..x.x..x..x.'], lead: 'flute' },
  },
  {
    name: 'ambient',
    words: 'ambient cinematic dreamy ethereal meditation sleep space drone score orchestral',
    feel: { tempo: [64, 80], modes: ['major', 'dorian'], swing: 0, sevenths: true },
    drums: { shaker: '-...-...-...-...' },
    sounds: { bass: ['sub', 'X.......x.......'], chords: ['bell', 'X...............'], lead: 'flute' },
  },
]
