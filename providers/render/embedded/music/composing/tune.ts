import { composePhrase } from './melody.ts'
import { chordAt, scenes, type Writing } from './scene.ts'

/** Composes two bars per line. A chorus is always the same; verses repeat the tune with different syllables. */
export function writeLead(writing: Writing): void {
  const { direction, section, turn, lines, write } = writing
  const { genre, key, random } = direction
  if (!scenes[section.name].lead) return
  const isChorus = section.name === 'chorus'
  const syllables = lines[isChorus ? 'chorus' : 'verse']
  for (let bar = 0; bar < section.bars; bar += 2) {
    const phrase = bar / 2
    const line = isChorus ? phrase : phrase + (turn * section.bars) / 2
    const shape = ['a', 'b', 'a', 'c'][phrase % 4] ?? 'a'
    const drawn = random.fork(`lead ${section.name} ${shape}`)
    const notes = composePhrase({
      key,
      chords: [chordAt(writing, bar), chordAt(writing, bar + 1)],
      count: syllables[Math.floor(line) % syllables.length] ?? 7,
      center: isChorus ? 8 : 5,
      closes: phrase % 2 === 1,
      random: drawn,
    })
    for (const { at, beats, midi, velocity } of notes) {
      if (at >= (section.bars - bar) * 4) continue
      write('lead', genre.lead, { bar, step: at * 4, steps: beats * 4 }, midi, velocity)
    }
  }
}
