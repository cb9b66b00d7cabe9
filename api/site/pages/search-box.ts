import { html, type Html } from '../../../domain/pages/html.ts'

const types = [
  ['all', 'Everything'],
  ['page', 'Pages'],
  ['docs', 'Docs'],
  ['blog', 'Blog'],
  ['playbook', 'Playbooks'],
] as const

/** Renders a search box, which works without scripts. */
export function searchBox(query = '', type = 'all'): Html {
  return html`<form class="row search" role="search" method="get" action="/search">
    <label>Search for <input type="search" name="query" maxlength="240" required value="${query}" /></label>
    <label
      >In
      <select name="type">
        ${types.map(
          ([value, label]) => html`<option value="${value}" ${value === type && html`selected`}>${label}</option> `,
        )}
      </select></label
    >
    <button>Search</button>
  </form>`
}
