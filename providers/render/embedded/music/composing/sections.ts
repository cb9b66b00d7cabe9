type SectionName = 'intro' | 'verse' | 'chorus' | 'bridge' | 'outro'
type Planned = { name: SectionName; bars: number }

/** A section, in bars from the start of the track. */
export type Section = Planned & { from: number; isLast: boolean }

/** Lays out a track of the given number of bars: intro, verses and choruses, and in longer tracks a bridge and an outro. */
export function layOut(bars: number): Section[] {
  // The longest phrase that leaves room for a verse and a chorus.
  const unit = [8, 4, 2].find((phrase) => bars >= phrase * 3.5) ?? 1
  const intro = bars < 3 ? 0 : Math.max(1, unit / 2)
  const outro = bars < 12 ? 0 : Math.max(1, unit / 2)
  const planned = [...edge('intro', intro), ...fill(unit, bars - intro - outro), ...edge('outro', outro)]
  let from = 0
  return planned.map((section, index) => {
    const placed = { ...section, from, isLast: index === planned.length - 1 }
    from += section.bars
    return placed
  })
}

function edge(name: SectionName, bars: number): Planned[] {
  return bars > 0 ? [{ name, bars }] : []
}

/** Alternates verses and choruses. The last section is always a chorus. */
function fill(unit: number, bars: number): Planned[] {
  const sections: Planned[] = []
  const cycle = createCycle(unit)
  for (let left = bars; left > 0; left -= sections.at(-1)?.bars ?? left) {
    const next = cycle[sections.length % cycle.length] as Planned
    const isLast = next.bars >= left
    sections.push({ name: isLast ? 'chorus' : next.name, bars: Math.min(left, next.bars) })
  }
  return sections
}

function createCycle(unit: number): Planned[] {
  return [
    { name: 'verse', bars: unit },
    { name: 'chorus', bars: unit },
    { name: 'verse', bars: unit },
    { name: 'chorus', bars: unit },
    { name: 'bridge', bars: Math.max(1, unit / 2) },
    { name: 'chorus', bars: unit },
  ]
}
