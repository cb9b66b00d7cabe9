import type { Mode } from './composing/harmony.ts'
import type { Drum } from './sound/drums.ts'
import type { Instrument } from './sound/instruments.ts'

/** A bar in sixteenths: `X` accented, `x` normal, `-` soft, `.` rest. */
export type Pattern = string
export type DrumBar = Partial<Record<Drum, Pattern>>

type Feel = {
  /** Beats per minute. */
  tempo: readonly [low: number, high: number]
  modes: readonly Mode[]
  /** Fraction of a sixteenth by which every second sixteenth is delayed. */
  swing: number
  /** Whether chords have a seventh. */
  sevenths: boolean
  /** Reverb level, from 0 (dry) to 1. */
  space: number
  /** Sidechain depth: how much the kick lowers the other parts, from 0 to 1. */
  pump: number
}

export type Genre = {
  name: string
  /** Words of a prompt that select this genre. */
  words: string
  feel: Feel
  drums: DrumBar
  /** Drums that a chorus adds or replaces. */
  chorus: DrumBar
  riffs: { bass: Pattern; chords: Pattern }
  sounds: { bass: Instrument; chords: Instrument; pad: Instrument; lead: Instrument; arpeggio?: Instrument }
}

const eighths = 'x.x.x.x.x.x.x.x.'
const sixteenths = 'x-x-x-x-x-x-x-x-'
const backbeat = '....X.......X...'
const fourOnTheFloor = 'X...X...X...X...'
const offbeats = '..x...x...x...x.'

export const genres: readonly Genre[] = [
  {
    name: 'pop',
    words: 'pop radio anthem catchy indie',
    feel: { tempo: [98, 122], modes: ['major', 'minor'], swing: 0, sevenths: false, space: 0.35, pump: 0.35 },
    drums: { kick: 'X......xX.......', snare: backbeat, hat: eighths },
    chorus: { kick: 'X...X...X...X.x.', clap: backbeat, hat: sixteenths, openHat: offbeats },
    riffs: { bass: 'X.x...x.X.x...x.', chords: 'X.....x...x.....' },
    sounds: { bass: 'bass', chords: 'keys', pad: 'warmPad', lead: 'softLead', arpeggio: 'pluck' },
  },
  {
    name: 'house',
    words: 'house dance club disco edm party electronic',
    feel: { tempo: [120, 126], modes: ['minor', 'dorian'], swing: 0.08, sevenths: true, space: 0.35, pump: 0.65 },
    drums: { kick: fourOnTheFloor, clap: backbeat, openHat: offbeats, shaker: sixteenths },
    chorus: { hat: 'x.xxx.xxx.xxx.xx' },
    riffs: { bass: '..X..xX...X..xX.', chords: 'X..X..X...X..X..' },
    sounds: { bass: 'bass', chords: 'keys', pad: 'warmPad', lead: 'pluck', arpeggio: 'pluck' },
  },
  {
    name: 'techno',
    words: 'techno rave industrial acid warehouse',
    feel: { tempo: [128, 136], modes: ['minor'], swing: 0, sevenths: false, space: 0.4, pump: 0.7 },
    drums: { kick: fourOnTheFloor, hat: offbeats, rim: '...x..x....x..x.' },
    chorus: { clap: backbeat, openHat: offbeats, hat: sixteenths },
    riffs: { bass: '.xxX.xxX.xxX.xxX', chords: '...x......x.....' },
    sounds: { bass: 'bass', chords: 'stab', pad: 'strings', lead: 'pluck', arpeggio: 'stab' },
  },
  {
    name: 'hip hop',
    words: 'hip hiphop hip-hop boom bap rap',
    feel: { tempo: [84, 94], modes: ['minor', 'dorian'], swing: 0.22, sevenths: true, space: 0.22, pump: 0.25 },
    drums: { kick: 'X..x..x...X..x..', snare: backbeat, hat: 'x.x.x.x-x.x.x.x.' },
    chorus: { kick: 'X..x..x.x.X..x..', clap: backbeat, hat: 'x-x.x-x-x.x-x-x.', openHat: '..............x.' },
    riffs: { bass: 'X..x......X..x..', chords: 'X.......x..x....' },
    sounds: { bass: 'bass', chords: 'keys', pad: 'strings', lead: 'softLead' },
  },
  {
    name: 'trap',
    words: 'trap drill 808 plugg phonk',
    feel: { tempo: [132, 148], modes: ['minor'], swing: 0, sevenths: false, space: 0.4, pump: 0.2 },
    drums: { kick: 'X.....x...x.....', clap: '........X.......', hat: 'x.x.x.x.x.xxx.x.' },
    chorus: {
      kick: 'X.....x...x..x..',
      snare: '........x.......',
      hat: 'x.xxx.x.xxx.x.xx',
      openHat: '......x.........',
    },
    riffs: { bass: 'X.....x...x..x..', chords: 'X.......x.......' },
    sounds: { bass: 'sub', chords: 'bell', pad: 'strings', lead: 'bell', arpeggio: 'pluck' },
  },
  {
    name: 'lofi',
    words: 'lofi lo-fi study chillhop chill bedroom relaxing mellow',
    feel: { tempo: [72, 86], modes: ['major', 'dorian'], swing: 0.26, sevenths: true, space: 0.3, pump: 0.3 },
    drums: { kick: 'X......x..x.....', snare: backbeat, hat: '-.x.-.x.-.x.-.x.' },
    chorus: { kick: 'X......x..x..x..', rim: '..........x....x', hat: '-.x---x.-.x---x.' },
    riffs: { bass: 'X.....x...x..x..', chords: 'X.........x.....' },
    sounds: { bass: 'roundBass', chords: 'keys', pad: 'warmPad', lead: 'bell' },
  },
  {
    name: 'rnb',
    words: 'rnb r&b soul neo-soul sensual smooth groove funk funky',
    feel: { tempo: [84, 100], modes: ['dorian', 'major'], swing: 0.18, sevenths: true, space: 0.3, pump: 0.2 },
    drums: { kick: 'X..x....x.x.....', snare: backbeat, hat: 'x.xxx.x.x.xxx.x.' },
    chorus: { kick: 'X..x..x.x.x..x..', clap: backbeat, hat: 'x-xxx-x-x-xxx-x-', rim: '.......x........' },
    riffs: { bass: 'X..x..x...x.x...', chords: 'X..x....x..x....' },
    sounds: { bass: 'roundBass', chords: 'keys', pad: 'warmPad', lead: 'softLead', arpeggio: 'pluck' },
  },
  {
    name: 'rock',
    words: 'rock punk grunge guitar guitars metal band alternative',
    feel: {
      tempo: [112, 140],
      modes: ['mixolydian', 'minor', 'major'],
      swing: 0,
      sevenths: false,
      space: 0.25,
      pump: 0.1,
    },
    drums: { kick: 'X.....x.X.......', snare: backbeat, hat: 'X.x.X.x.X.x.X.x.' },
    chorus: { kick: 'X...x.x.X...x.x.', openHat: 'X.x.X.x.X.x.X.x.', ride: fourOnTheFloor },
    riffs: { bass: 'X.x.x.x.X.x.x.x.', chords: 'X.x.x.x.X.x.x.x.' },
    sounds: { bass: 'bass', chords: 'guitar', pad: 'strings', lead: 'softLead' },
  },
  {
    name: 'drum and bass',
    words: 'dnb d&b jungle breakbeat liquid',
    feel: { tempo: [168, 176], modes: ['minor', 'dorian'], swing: 0, sevenths: true, space: 0.4, pump: 0.25 },
    drums: { kick: 'X.........x.....', snare: backbeat, hat: eighths, rim: '.......x.x......' },
    chorus: { snare: '....X..-.-..X..-', hat: sixteenths, ride: 'x...x...x...x...', shaker: sixteenths },
    riffs: { bass: 'X.....x...x..x..', chords: 'X...............' },
    sounds: { bass: 'roundBass', chords: 'keys', pad: 'strings', lead: 'pluck', arpeggio: 'pluck' },
  },
  {
    name: 'reggaeton',
    words: 'reggaeton latin dembow perreo tropical dancehall summer afrobeats afrobeat amapiano',
    feel: { tempo: [92, 104], modes: ['minor', 'major'], swing: 0, sevenths: false, space: 0.28, pump: 0.3 },
    drums: { kick: fourOnTheFloor, snare: '...x..x....x..x.', hat: eighths },
    chorus: { snare: '...X..X....X..X.', shaker: sixteenths, openHat: offbeats, rim: '..x.......x.....' },
    riffs: { bass: 'X..x..x.X..x..x.', chords: 'X..x..x.X..x..x.' },
    sounds: { bass: 'sub', chords: 'pluck', pad: 'warmPad', lead: 'flute', arpeggio: 'pluck' },
  },
  {
    name: 'synthwave',
    words: 'synthwave retro 80s eighties neon outrun night drive',
    feel: { tempo: [96, 112], modes: ['minor'], swing: 0, sevenths: false, space: 0.45, pump: 0.45 },
    drums: { kick: 'X...x...X...x...', snare: backbeat, hat: eighths },
    chorus: { kick: fourOnTheFloor, openHat: offbeats, hat: sixteenths, tom: '..............xx' },
    riffs: { bass: 'X.xxX.xxX.xxX.xx', chords: 'X...............' },
    sounds: { bass: 'bass', chords: 'strings', pad: 'warmPad', lead: 'softLead', arpeggio: 'pluck' },
  },
  {
    name: 'folk',
    words: 'folk acoustic country campfire singer-songwriter americana ballad piano',
    feel: { tempo: [76, 104], modes: ['major', 'mixolydian'], swing: 0, sevenths: false, space: 0.3, pump: 0 },
    drums: { kick: 'X.......x.......', shaker: sixteenths },
    chorus: { kick: fourOnTheFloor, rim: backbeat, shaker: 'X-x-X-x-X-x-X-x-' },
    riffs: { bass: 'X.....x.X.....x.', chords: 'X..x..x.x..x..x.' },
    sounds: { bass: 'roundBass', chords: 'guitar', pad: 'strings', lead: 'flute', arpeggio: 'guitar' },
  },
  {
    name: 'ambient',
    words: 'ambient cinematic dreamy ethereal meditation sleep space drone score orchestral',
    feel: { tempo: [64, 80], modes: ['major', 'dorian'], swing: 0, sevenths: true, space: 0.7, pump: 0.15 },
    drums: { shaker: '-...-...-...-...' },
    chorus: { kick: '-.......-.......', rim: '........-.......', shaker: '-.-.-.-.-.-.-.-.' },
    riffs: { bass: 'X.......x.......', chords: 'X...............' },
    sounds: { bass: 'sub', chords: 'warmPad', pad: 'strings', lead: 'bell', arpeggio: 'keys' },
  },
]
