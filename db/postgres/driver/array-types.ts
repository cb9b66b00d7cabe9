/** OIDs of the array types that queries pass. */
const arrayTypes = { bigint: 1016, date: 1182, int: 1007, text: 1009, uuid: 2951 }

// Characters that JSON and array literals escape differently. Quotes and backslashes are escaped in the same way.
const specialCharacters = /[\p{Cc}\p{Cs}]/u

/**
 * Array parameter types. They are listed here, because the driver would fetch them on each new connection, and the
 * rejection of that query after a lost connection cannot be handled and ends the process.
 */
export const arrayParameters = Object.fromEntries(
  Object.entries(arrayTypes).map(([name, to]) => [
    `${name}Array`,
    { to, from: [], serialize, parse: (text: string) => text },
  ]),
)

function serialize(values: unknown): unknown {
  return Array.isArray(values) ? `{${values.map(toElement).join(',')}}` : values
}

function toElement(value: string | number | null): string {
  return value === null ? 'null' : typeof value === 'number' ? String(value) : quote(value)
}

/** Quotes an array element. `JSON.stringify` takes a fifth of the time of `replaceAll`, which matters for the group commit. */
function quote(text: string): string {
  return specialCharacters.test(text) ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : JSON.stringify(text)
}
