export function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content
}

/** Returns a function that decodes UTF-8. A character may be split between two calls. */
export function decodeTo(onOutput: (chunk: string) => void): (bytes: Buffer) => void {
  const decoder = new TextDecoder()
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: true })
    if (text !== '') onOutput(text)
  }
}
