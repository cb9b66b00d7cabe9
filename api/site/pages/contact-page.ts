import { html, type Html } from '../../../domain/pages/html.ts'
import type { Site } from './site.ts'

/** Renders the contact address, and a box for the draft that the tools page saved in this tab. The page sends nothing. */
export function draftBox({ contact }: Site): Html {
  return html`<p>Write to <a href="mailto:${contact}">${contact}</a>.</p>
    <section id="draft" aria-labelledby="draft-title" hidden>
      <h2 id="draft-title">Your draft</h2>
      <p>A draft of your brief is saved in this tab. Nothing has been sent.</p>
      <button type="button" data-action="use">Use the draft</button>
      <button type="button" class="plain" data-action="discard">Discard</button>
    </section>
    <p id="draft-status" role="status"></p>
    <noscript
      ><p class="notice">
        With JavaScript enabled, the draft of your brief from the tools page appears here.
      </p></noscript
    >`
}
