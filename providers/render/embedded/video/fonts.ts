import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { CaptionFont } from '../../../../domain/content/templates/index.ts'

const scripts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese']
type Weight = CaptionFont['weight']

/** Returns the canvas font of captions at this size in pixels. */
export function buildFont(size: number, weight: Weight): string {
  return `${size}px ${loadFamily(weight)}`
}

/** Character that no font contains. */
const unknownCharacter = '\u{10fffe}'

/** Removes characters that no installed font contains, because they would appear as boxes. Returns them in `unknown`. */
export function removeUnknownCharacters(text: string): { text: string; unknown: string[] } {
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  const box = drawLetter(unknownCharacter)
  const unknown = Array.from(new Set(letters)).filter(
    (letter) => letter.trim() !== '' && drawLetter(letter).equals(box),
  )
  const supported = letters.filter((letter) => !unknown.includes(letter)).join('')
  return { text: unknown.length === 0 ? text : supported.replaceAll(/ {2,}/g, ' '), unknown }
}

/** Loads Inter for the scripts that it supports, under a name per weight and script. System fonts draw other scripts. */
function loadFamily(weight: Weight): string {
  const { resolve } = createRequire(import.meta.url)
  const names = scripts.map((script) => {
    const name = `Inter ${weight} ${script}`
    if (!GlobalFonts.has(name))
      GlobalFonts.registerFromPath(resolve(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff2`), name)
    return `"${name}"`
  })
  return `${names.join(', ')}, sans-serif`
}

function drawLetter(letter: string): Buffer {
  const canvas = createCanvas(32, 32)
  const ctx = canvas.getContext('2d')
  ctx.font = buildFont(20, 700)
  ctx.fillText(letter, 2, 24)
  return canvas.data()
}
