import { html, type Html } from '../../../../domain/pages/html.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import { toPathname, type Site } from '../site.ts'
import { isReference, type Group } from './order.ts'

/** The sections of the documentation. */
export type DocsMap = { guides: Group[]; reference: Group[] }

/** Renders the sidebar of the documentation. On narrow screens, a button above the page opens it. */
export function docsSidebar(site: Site, { guides, reference }: DocsMap, current?: Entry): Html {
  const isInReference = current !== undefined && isReference(current.header.id)
  const groups = isInReference ? reference.filter(({ entries }) => entries.includes(current)) : guides
  return sidebar(
    'Documentation',
    html`<ul>
        ${topLinks.map(([path, label]) => html`<li><a href="${path}" ${isCurrent(path, current)}>${label}</a></li> `)}
      </ul>
      ${groups.map((group) => groupList(group, current))} ${isInReference && otherAreas(reference, groups)}
      <p class="version">Version ${site.version}</p>`,
  )
}

const topLinks = [
  ['/docs', 'Overview'],
  ['/docs/api-reference', 'API reference'],
] as const

/** Renders a sidebar beside the article. `label`: name of the sidebar, and text of the button that opens it. */
export function sidebar(label: string, content: Html): Html {
  return html`<div class="side-opener">
      <button type="button" class="plain" popovertarget="side" aria-controls="side">${label}</button>
    </div>
    <nav class="side" id="side" popover aria-label="${label}">${content}</nav>`
}

export function groupList({ title, entries }: Group, current?: Entry): Html {
  return html`<p class="group">${title}</p>
    <ul>
      ${entries.map(
        (entry) =>
          html`<li>
            <a href="${toPathname(entry)}" ${entry === current && html`aria-current="page"`}
              >${methodLabel(entry)}${entry.header.title}</a
            >
          </li> `,
      )}
    </ul>`
}

/** Renders the HTTP method of an operation; undefined for other entries. */
export function methodLabel({ header: { api } }: Entry): Html | undefined {
  return api && html`<span class="method" data-method="${api.method}">${api.method}</span> `
}

function otherAreas(reference: readonly Group[], shown: readonly Group[]): Html {
  const others = reference.filter((group) => !shown.includes(group))
  return html`<p class="group">Other areas</p>
    <ul>
      ${others.map(({ title, entries: [first] }) => first && html`<li><a href="${toPathname(first)}">${title}</a></li> `)}
    </ul>`
}

function isCurrent(path: string, current?: Entry): Html | false {
  return current !== undefined && toPathname(current) === path && html`aria-current="page"`
}
