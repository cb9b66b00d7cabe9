import { html, type Html } from '../../../../domain/pages/html.ts'
import { copyButton } from '../article/code.ts'

const commandList = [
  ['npm start', 'Postgres, Temporal, a worker, the API and a demo account'],
  ['npm test', 'every check and test, on the real stack'],
] as const

/** Renders the two commands to run in a new checkout. */
export function commands(): Html {
  return html`<ul class="commands" aria-label="Commands">
    ${commandList.map(
      ([command, effect]) =>
        html`<li class="code">
          <pre tabindex="0"><code>${command}</code></pre>
          <small>${effect}</small>
          ${copyButton}
        </li> `,
    )}
  </ul>`
}
