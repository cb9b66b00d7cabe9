import { html, Html } from '../../../../domain/pages/html.ts'
import { highlight } from './highlight.ts'

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
