/** In order: each finds text of openapi-typescript at its own indentation. */
const rules: [RegExp, string][] = [
  // Absent methods and bodies are refused by their absence.
  [/^ {8}\w+\?: never;\n/gm, ''],
  [/^( {4}"\/.*": \{\n) {8}parameters: \{\n(?: {12}\w+\?: never;\n){4} {8}\};\n/gm, '$1'],
  [/^ {8}parameters: \{\n(?: {12}\w+\?: never;\n){4} {8}\};/gm, '        parameters: NoParameters;'],
  [/^ {12}(?:query|header|path|cookie)\?: never;\n/gm, ''],
  // The document of the types has no headers of responses.
  [/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, ''],
  [/\{\n +("[^"\n{]+": [^\n{]+;)\n +\};/gm, '{ $1 };'],
  [/^( +)\/\*\*\n +\* Format: (.+)\n +\* @description (.+)\n +\*\//gm, '$1/** @description $3 Format: $2. */'],
  [/^ +\/\*\* @description Success\. \*\/\n/gm, ''],
  // The type is the constant.
  [/^( +)\/\*\*\n +\* @description (.+)\n +\* @constant\n +\*\//gm, '$1/** @description $2 */'],
  [/^( +)\/\*\* @constant \*\/\n/gm, ''],
]

const parameterTypes = `
interface NoParameters {
    query?: never;
    header?: never;
    path?: never;
    cookie?: never;
}
type Only<Parameters> = Parameters & Omit<NoParameters, keyof Parameters>;
`

/** The declarations of openapi-typescript, with the same types and words in fewer lines. */
export function condense(declarations: string): string {
  const condensed = rules.reduce((text, [find, replacement]) => text.replace(find, replacement), declarations)
  return closeParameters(condensed) + parameterTypes
}

/** Refuses the parameters that an operation does not have, without a line for each. */
function closeParameters(declarations: string): string {
  let isOpen = false
  const closeLine = (line: string): string => {
    if (line === '        parameters: {') {
      isOpen = true
      return '        parameters: Only<{'
    }
    if (!isOpen || line !== '        };') return line
    isOpen = false
    return '        }>;'
  }
  return declarations.split('\n').map(closeLine).join('\n')
}
