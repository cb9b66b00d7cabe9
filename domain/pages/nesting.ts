import { Parser } from 'htmlparser2'

const maxNesting = 256

/** False for HTML whose elements are nested, or left open, deeper than people write: parsers take the square of the depth. */
export function isReadableHtml(html: string): boolean {
  let depth = 0
  let isReadable = true
  const parser = new Parser({
    onopentagname: () => {
      if (++depth <= maxNesting) return
      isReadable = false
      parser.pause()
    },
    onclosetag: () => void depth--,
  })
  parser.write(html)
  return isReadable
}
