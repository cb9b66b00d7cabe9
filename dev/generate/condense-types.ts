/** Replacements in order of application. They rely on the indentation of openapi-typescript. */
const replacements: [RegExp, string][] = [
  // Even without these lines, an undeclared method or body is a type error.
  [/^ {8}\w+\?: never;\n/gm, ''],
  [/^( {4}"\/.*": \{\n) {8}parameters: \{\n(?: {12}\w+\?: never;\n){4} {8}\};\n/gm, '$1'],
  [/^ {8}parameters: \{\n(?: {12}\w+\?: never;\n){4} {8}\};/gm, '        parameters: NoParameters;'],
  [/^ {12}(?:query|header|path|cookie)\?: never;\n/gm, ''],
  // The OpenAPI document declares no response headers.
  [/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, ''],
  [/\{\n +("[^"\n{]+": [^\n{]+;)\n +\};/gm, '{ $1 };'],
  [/^( +)\/\*\*\n +\* Format: (.+)\n +\* @description (.+)\n +\*\//gm, '$1/** @description $3 Format: $2. */'],
  [/^ +\/\*\* @description Success\. \*\/\n/gm, ''],
  // The literal type already shows a constant.
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

/** Shortens the declarations of openapi-typescript without changing their types or descriptions. */
export function condenseTypes(declarations: string): string {
  const condensed = replacements.reduce((text, [find, replacement]) => text.replace(find, replacement), declarations)
  return closeParameters(condensed) + parameterTypes
}

/** Wraps the parameters of each operation in `Only`, which makes undeclared parameters a type error. */
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
