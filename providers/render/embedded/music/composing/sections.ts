type SectionName = 'intro' | 'verse' | 'chorus' | 'bridge' | 'outro'
export type Part = 'drums' | 'bass' | 'chords' | 'pad' | 'arpeggio' | 'lead' | 'effects'

/** Drums, level and other parts of each section. */
export const scenes = {
  intro: { drums: 'light', level: 0.75, parts: ['chords', 'pad', 'arpeggio'] },
  verse: { drums: 'verse', level: 0.86, parts: ['bass', 'chords', 'lead'] },
  chorus: { drums: 'chorus', level: 1, parts: ['bass', 'chords', 'pad', 'arpeggio', 'lead', 'effects'] },
  bridge: { drums: 'light', level: 0.8, parts: ['bass', 'pad', 'arpeggio', 'lead'] },
  outro: { drums: 'verse', level: 0.84, parts: ['bass', 'chords', 'pad'] },
} as const satisfies Record<SectionName, { drums: string; level: number; parts: readonly Part[] }>

/** A section. `from`: its first bar in the track. `turn`: number of earlier sections with this name. */
export type Section = { name: SectionName; bars: number; from: number; turn: number }

const cycle = ['verse', 'chorus', 'verse', 'chorus', 'bridge', 'chorus'] as const

/** Divides a track into an intro, verses and choruses, and in longer tracks a bridge and an outro. */
export function layOut(bars: number): Section[] {
  // Length of a verse: the longest one for which a verse and a chorus fit into the track.
  const verseBars = [8, 4, 2].find((length) => bars >= length * 3.5) ?? 1
  const shortBars = Math.max(1, verseBars / 2)
  const [introBars, outroBars] = [bars < 3 ? 0 : shortBars, bars < 12 ? 0 : shortBars]
  const sections: Section[] = []
  const add = (name: SectionName, length: number): void => {
    const from = sections.reduce((sum, section) => sum + section.bars, 0)
    const turn = sections.filter((section) => section.name === name).length
    if (length > 0) sections.push({ name, bars: length, from, turn })
  }
  add('intro', introBars)
  for (let [index, left] = [0, bars - introBars - outroBars]; left > 0; index++) {
    const name = cycle[index % cycle.length] ?? 'chorus'
    const length = Math.min(left, name === 'bridge' ? shortBars : verseBars)
    left -= length
    // The last section before the outro is always a chorus.
    add(left === 0 ? 'chorus' : name, length)
  }
  add('outro', outroBars)
  return sections
}
