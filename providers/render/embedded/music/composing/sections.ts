type SectionName = 'intro' | 'verse' | 'chorus' | 'bridge' | 'outro'
type PlannedSection = { name: SectionName; bars: number }

/** A section, in bars from the start of the track. */
export type Section = PlannedSection & { from: number; isLast: boolean }

/** Divides a track into an intro, verses and choruses, and in longer tracks a bridge and an outro. */
export function layOut(bars: number): Section[] {
  // Length of a verse: the longest one for which a verse and a chorus fit into the track.
  const verseBars = [8, 4, 2].find((phrase) => bars >= phrase * 3.5) ?? 1
  const intro = bars < 3 ? 0 : Math.max(1, verseBars / 2)
  const outro = bars < 12 ? 0 : Math.max(1, verseBars / 2)
  const planned = [
    ...optionalSection('intro', intro),
    ...alternateSections(verseBars, bars - intro - outro),
    ...optionalSection('outro', outro),
  ]
  let from = 0
  return planned.map((section, index) => {
    const placed = { ...section, from, isLast: index === planned.length - 1 }
    from += section.bars
    return placed
  })
}

function optionalSection(name: SectionName, bars: number): PlannedSection[] {
  return bars > 0 ? [{ name, bars }] : []
}

/** Alternates verses and choruses. The last section is always a chorus. */
function alternateSections(verseBars: number, bars: number): PlannedSection[] {
  const sections: PlannedSection[] = []
  const cycle = createCycle(verseBars)
  for (let remaining = bars; remaining > 0; remaining -= sections.at(-1)?.bars ?? remaining) {
    const next = cycle[sections.length % cycle.length] as PlannedSection
    const isLast = next.bars >= remaining
    sections.push({ name: isLast ? 'chorus' : next.name, bars: Math.min(remaining, next.bars) })
  }
  return sections
}

function createCycle(verseBars: number): PlannedSection[] {
  return [
    { name: 'verse', bars: verseBars },
    { name: 'chorus', bars: verseBars },
    { name: 'verse', bars: verseBars },
    { name: 'chorus', bars: verseBars },
    { name: 'bridge', bars: Math.max(1, verseBars / 2) },
    { name: 'chorus', bars: verseBars },
  ]
}
