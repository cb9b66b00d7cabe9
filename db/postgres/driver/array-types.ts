/** Object ids of the array types that queries pass. */
const arrayTypes = { bigint: 1016, date: 1182, int: 1007, text: 1009, uuid: 2951 }

// What JSON writes in ways of its own, beside the quotes and backslashes that it writes as arrays do.
const special = /[\p{Cc}\p{Cs}]/u

/**
 * Arrays as parameters, for a driver that is told not to ask each new connection for the types of its server: an
 * answer that a lost connection cuts off is a rejection that nobody can handle, and ends the process.
 */
export const arrayParameters = Object.fromEntries(
  Object.entries(arrayTypes).map(([name, to]) => [
    `${name}Array`,
    { to, from: [], serialize, parse: (text: string) => text },
  ]),
)

function serialize(values: unknown): unknown {
  return Array.isArray(values) ? `{${values.map(element).join(',')}}` : values
}

function element(value: string | number | null): string {
  return value === null ? 'null' : typeof value === 'number' ? String(value) : quote(value)
}

/** Each token of a group commit passes here: `JSON.stringify` takes a fifth of the time of a replacement. */
function quote(text: string): string {
  return special.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : JSON.stringify(text)
}
