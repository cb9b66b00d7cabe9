const patterns = [
  /\bsk_[A-Za-z0-9_-]{16,}/g,
  /\bvercel_blob_[a-z]+_[A-Za-z0-9_+/=-]{8,}/g,
  /\bgh[a-z]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{16,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g,
  /(?<=\b(?:bearer|basic) +)[A-Za-z0-9+/=._-]{16,}/gi,
  /(?<=\w:\/\/)[^\s/@]+(?=@)/g,
]

const cleanText = (text: string): string => patterns.reduce((left, pattern) => left.replace(pattern, '[removed]'), text)

/** A JSON value without what looks like a key, a token or a password in an address. */
export const withoutSecrets = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member)]))
}
