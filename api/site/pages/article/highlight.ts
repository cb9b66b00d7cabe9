import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import ini from 'highlight.js/lib/languages/ini'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import typescript from 'highlight.js/lib/languages/typescript'
import { escapeHtml } from '../../../../domain/pages/html.ts'

const languages = { bash, ini, javascript, json, typescript }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

const names: Readonly<Record<string, keyof typeof languages>> = {
  sh: 'bash',
  ini: 'ini',
  js: 'javascript',
  json: 'json',
  ts: 'typescript',
  tsx: 'typescript',
}

/** Longer code is not highlighted, because its markup would be larger than the rest of the page. */
const maxCharacters = 12_000

/** Renders code with an element for each token. An unknown language is rendered as text. */
export function highlight(code: string, language: string): string {
  const name = Object.hasOwn(names, language) ? names[language] : undefined
  if (name === undefined || code.length > maxCharacters) return escapeHtml(code)
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value
}
