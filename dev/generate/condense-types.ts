const block = (lines: string) => new RegExp(lines, 'gm')

/** In order: each finds text of openapi-typescript at its own indentation. */
const rules: [RegExp, string][] = [
  // Absent methods and bodies are refused by their absence.
  [block(String.raw`^ {8}\w+\?: never;\n`), ''],
  [block(String.raw`^( {4}"/.*": \{\n) {8}parameters: \{\n(?: {12}\w+\?: never;\n){4} {8}\};\n`), '$1'],
  [block(String.raw`^ {8}parameters: \{\n(?: {12}\w+\?: never;\n){4} {8}\};`), '        parameters: NoParameters;'],
  [block(String.raw`^ {12}(?:query|header|path|cookie)\?: never;\n`), ''],
  [block(String.raw`^ {8}parameters: (\{\n[^]*?^ {8}\});`), '        parameters: Only<$1>;'],
  // The document of the types has no headers of responses.
  [block(String.raw`^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n`), ''],
  [block(String.raw`\{\n +("[^"\n]+": [^\n{]+;)\n +\};`), '{ $1 };'],
  [
    block(String.raw`^( +)/\*\*\n +\* Format: (.+)\n +\* @description (.+)\n +\*/`),
    '$1/** @description $3 Format: $2. */',
  ],
  [block(String.raw`^ +/\*\* @description Success\. \*/\n`), ''],
  // The type is the constant.
  [block(String.raw`^( +)/\*\*\n +\* @description (.+)\n +\* @constant\n +\*/`), '$1/** @description $2 */'],
  [block(String.raw`^( +)/\*\* @constant \*/\n`), ''],
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
  return rules.reduce((text, [find, replacement]) => text.replace(find, replacement), declarations) + parameterTypes
}
