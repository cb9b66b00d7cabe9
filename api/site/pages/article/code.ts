import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import ini from 'highlight.js/lib/languages/ini'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import typescript from 'highlight.js/lib/languages/typescript'
import { html, Html, escapeHtml } from '../../../../domain/pages/html.ts'

const labels: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  ini: 'Settings',
  markdown: 'Markdown',
}

/** Renders a code block with a copy button. */
export function codeBlock(code: string, language: string): Html {
  const label = Object.hasOwn(labels, language) ? labels[language] : 'Text'
  return html`<div class="code">
    <p class="code-head"><span>${label}</span>${copyButton}</p>
    ${new Html(`<pre tabindex="0"><code>${highlight(code, language)}</code></pre>`)}
  </div> `
}

/** Copies the text of the nearest `code`. Hidden until the script of the page, which adds this function, removes `hidden`. */
export const copyButton = html`<button type="button" class="plain copy" data-copy hidden>Copy</button>`

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
function highlight(code: string, language: string): string {
  const name = Object.hasOwn(names, language) ? names[language] : undefined
  if (name === undefined || code.length > maxCharacters) return escapeHtml(code)
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value
}
