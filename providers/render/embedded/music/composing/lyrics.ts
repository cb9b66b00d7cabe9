/** Syllable counts of the lyric lines, by section. */
export type LyricLines = { verse: number[]; chorus: number[] }

const vowels = /[aeiouyäöüáéíóúàèìòùâêîôûåæøœаеёиоуыэюя]+/giu

/** Counts groups of vowels as syllables, without a silent final `e` in English. In other scripts, each letter counts. */
export function countSyllables(line: string): number {
  return (line.match(/[\p{L}']+/gu) ?? []).reduce((sum, word) => {
    const groups = word.replace(/([^aeiouy])e$/i, '$1').match(vowels)?.length
    return sum + (groups ?? (/\p{Script=Latin}/u.test(word) ? 1 : Array.from(word).length))
  }, 0)
}

const markPattern = /^[[(]([^\])]*)[\])]:?$/
const markNamePattern = /^(\p{L}[\p{L}\s-]*)\d*$/u

const defaultLines = [7, 6, 8, 5]

/** Splits lyrics at marks such as `[Chorus]`. A section without lines uses the lines of the other section. */
export function readLyrics(lyrics: string): LyricLines {
  const lines: LyricLines = { verse: [], chorus: [] }
  let target: keyof LyricLines = 'verse'
  for (const line of lyrics.split(/\r?\n/).map((text) => text.trim())) {
    const name = markNamePattern.exec(markPattern.exec(line)?.[1]?.trim() ?? '')?.[1]
    if (name !== undefined) target = /chorus|hook|refrain/i.test(name) && !/pre/i.test(name) ? 'chorus' : 'verse'
    else if (countSyllables(line) > 0) lines[target].push(countSyllables(line))
  }
  const [first = defaultLines, second = first] = [lines.verse, lines.chorus].filter(({ length }) => length > 0)
  return { verse: first, chorus: lines.chorus.length > 0 ? lines.chorus : second }
}
