/** Reads a response body as text. Throws as soon as it exceeds `maxBytes`. */
export async function readCapped(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
