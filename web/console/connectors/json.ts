export type Json = Record<string, unknown>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toRecord(value: unknown): Json {
  return isRecord(value) ? value : {}
}

/** True if both are the same JSON, whatever the order of their members and the notation of their times. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, normalize) === JSON.stringify(other, normalize)
}

function normalize(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
}
