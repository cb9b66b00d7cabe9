const unstorable = /\0|\p{Surrogate}/gu

/** Model and tool output as the store can keep it: NUL and half surrogate pairs become U+FFFD. */
export function storableText(text: string): string {
  return text.replace(unstorable, '\uFFFD')
}

/** The same for every string and key of a JSON value. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), storableJson(member)]))
}

/** Cuts text where a surrogate pair is torn: the half at its end belongs before the next piece. */
export function splitTorn(text: string): [whole: string, half: string] {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? [text.slice(0, -1), text.slice(-1)] : [text, '']
}
