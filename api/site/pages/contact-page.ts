import { html, type Html } from '../../../domain/pages/html.ts'
import type { Site } from './site.ts'

/** The email address, and a place for a draft from another page of this tab. It sends nothing. */
export function draftBox({ contact }: Site): Html {
  return html`<p>Write to <a href="mailto:${contact}">${contact}</a>.</p>
    <section id="draft" aria-labelledby="draft-title" hidden>
      <h2 id="draft-title">Your draft</h2>
      <p>A brief draft waits in this tab. Nothing has been sent.</p>
      <button type="button" data-action="use">Use the draft</button>
      <button type="button" class="plain" data-action="discard">Discard</button>
    </section>
    <p id="draft-status" role="status"></p>
    <noscript><p class="notice">With scripts a brief draft from the tools page can be taken over here.</p></noscript>`
}
