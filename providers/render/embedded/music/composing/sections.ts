type SectionName = 'intro' | 'verse' | 'chorus' | 'outro'

/** A section. `from`: its first bar in the track. `turn`: number of earlier sections with this name. */
export type Section = { name: SectionName; bars: number; from: number; turn: number }

/** Divides a track into an intro, verses and choruses, and in longer tracks an outro. */
export function layOut(bars: number): Section[] {
  // Length of a verse: the longest one for which a verse and a chorus fit into the track.
  const verseBars = [8, 4, 2].find((length) => bars >= length * 3.5) ?? 1
  const shortBars = Math.max(1, verseBars / 2)
  const [introBars, outroBars] = [bars < 3 ? 0 : shortBars, bars < 12 ? 0 : shortBars]
  const end = bars - outroBars
  const sections: Section[] = introBars > 0 ? [{ name: 'intro', bars: introBars, from: 0, turn: 0 }] : []
  for (let [from, index] = [introBars, 0]; from < end; from += verseBars, index++) {
    const length = Math.min(verseBars, end - from)
    // The last section before the outro is always a chorus.
    const name = index % 2 === 1 || from + length === end ? 'chorus' : 'verse'
    sections.push({ name, bars: length, from, turn: Math.floor(index / 2) })
  }
  return outroBars > 0 ? [...sections, { name: 'outro', bars: outroBars, from: end, turn: 0 }] : sections
}
