export type Json = Record<string, unknown>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object; otherwise an empty object. Models and remote services may send any type. */
export function toRecord(value: unknown): Json {
  return isRecord(value) ? value : {}
}
