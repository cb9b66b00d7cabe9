const patterns = [
  /\bsk_[A-Za-z0-9_-]{16,}/g,
  /\bvercel_blob_[a-z]{1,40}_[A-Za-z0-9_+/=-]{8,}/g,
  /\bgh[a-z]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{16,}/g,
  /(?<=\w:\/\/)[^\s/@]+(?=@)/g,
]

const scheme = /\b(bearer|basic)( +)[A-Za-z0-9+/=._-]{16,}/gi

/** Replaces texts in a JSON value that look like a key, a token or a password in a URL with `[removed]`. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member)]))
}

function cleanText(text: string): string {
  return patterns
    .reduce((result, pattern) => result.replace(pattern, '[removed]'), text)
    .replaceAll(/[\w.-]+/g, removeToken)
    .replace(scheme, '$1$2[removed]')
}

/** Removes a signed token: three or more parts separated by dots. */
function removeToken(word: string): string {
  const index = word.search(/\beyJ[\w-]{8}/)
  return index === -1 || word.slice(index).split('.', 3).length < 3 ? word : `${word.slice(0, index)}[removed]`
}
