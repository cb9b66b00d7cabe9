import { composePhrase } from './melody.ts'
import { findChord, scenes, type SectionContext } from './scene.ts'

/** Writes the melody, two bars per lyric line. Choruses repeat the same notes; verses follow the syllables of their lines. */
export function writeLead(context: SectionContext): void {
  const { direction, section, turn, lines, write } = context
  const { genre, key, random } = direction
  if (!scenes[section.name].lead) return
  const isChorus = section.name === 'chorus'
  const syllables = lines[isChorus ? 'chorus' : 'verse']
  for (let bar = 0; bar < section.bars; bar += 2) {
    const phrase = bar / 2
    const line = isChorus ? phrase : phrase + (turn * section.bars) / 2
    const shape = ['a', 'b', 'a', 'c'][phrase % 4] ?? 'a'
    const phraseRandom = random.fork(`lead ${section.name} ${shape}`)
    const notes = composePhrase({
      key,
      chords: [findChord(context, bar), findChord(context, bar + 1)],
      count: syllables[Math.floor(line) % syllables.length] ?? 7,
      center: isChorus ? 8 : 5,
      endsOnTonic: phrase % 2 === 1,
      random: phraseRandom,
    })
    for (const { at, beats, midi, velocity } of notes) {
      if (at >= (section.bars - bar) * 4) continue
      write('lead', genre.lead, { bar, step: at * 4, steps: beats * 4 }, midi, velocity)
    }
  }
}
