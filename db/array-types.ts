/** Object ids of the array types that queries pass. */
const arrayTypes = { bigint: 1016, date: 1182, int: 1007, text: 1009, uuid: 2951 }

const element = (value: string | number | null): string =>
  value === null ? 'null' : `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`

const serialize = (values: unknown): unknown => (Array.isArray(values) ? `{${values.map(element).join(',')}}` : values)

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
