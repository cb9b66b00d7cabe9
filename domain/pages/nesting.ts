import { Parser } from 'htmlparser2'

const maxNesting = 256

/** Returns false for HTML whose elements nest deeper than `maxNesting`: parsers take quadratic time in the depth. */
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
