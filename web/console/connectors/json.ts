export type Json = Record<string, unknown>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toRecord(value: unknown): Json {
  return isRecord(value) ? value : {}
}

/** True if both values are the same JSON, regardless of the order of members and the notation of times. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left, normalize) === JSON.stringify(right, normalize)
}

function normalize(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
}
