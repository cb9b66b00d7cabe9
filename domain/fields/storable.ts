const unstorable = /\0|\p{Surrogate}/gu

/** Replaces NUL and unpaired surrogates with U+FFFD, so that Postgres can store the text. */
export function storableText(text: string): string {
  return text.replace(unstorable, '\uFFFD')
}

/** Applies `storableText` to every string and key of a JSON value. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), storableJson(member)]))
}

/** Splits off an unpaired high surrogate at the end, which belongs to the next chunk. */
export function splitSurrogate(text: string): [whole: string, half: string] {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? [text.slice(0, -1), text.slice(-1)] : [text, '']
}
