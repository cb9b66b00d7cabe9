import { createMarkdown } from '../../../../domain/markdown/markdown.ts'
import type { Entry } from '../../../../domain/site/content/entry.ts'
import { headingText } from '../article/anchors.ts'
import { findEntry, type Site } from '../site.ts'

/** A section of the documentation: the entries that its index lists below one heading. */
export type Group = { title: string; entries: Entry[] }

export const indexId = 'docs:index'
const referenceId = 'docs:api-reference'

/** Short titles for the sidebar, by heading of the index. Other headings are used unchanged. */
const shortTitles: Readonly<Record<string, string>> = {
  'Where do I start?': 'Get started',
  'How do agents answer and act?': 'Agents and chats',
  'Which music data does the service hold?': 'Music data',
  'What runs automatically, and what does it cost?': 'Automation and billing',
  'How do I run the service?': 'Operation',
}

/** Returns the guides in the order in which the documentation's index links to them. Guides without a link are last. */
export function listGuideGroups(site: Site): Group[] {
  const isGuide = ({ header: { id, type } }: Entry): boolean =>
    type === 'docs' && id !== indexId && id !== referenceId && !isReference(id)
  const groups = listGroups(site, indexId, isGuide)
  const linkedEntries = new Set(groups.flatMap(({ entries }) => entries))
  const others = site.entries.filter((entry) => isGuide(entry) && !linkedEntries.has(entry))
  const lastGroup = groups.pop() ?? { title: 'Guides', entries: [] }
  const allGroups = [...groups, { ...lastGroup, entries: [...lastGroup.entries, ...others] }]
  return allGroups.map(({ title, entries }) => ({ title: shortTitles[title] ?? title, entries }))
}

/** Returns the operations of the API by tag, in the order in which the reference's index links to them. */
export function listReferenceGroups(site: Site): Group[] {
  return listGroups(site, referenceId, ({ header }) => isReference(header.id))
}

export function isReference(id: string): boolean {
  return id.startsWith(`${referenceId}/`)
}

/** Groups the accepted entries by the heading of the document `id` below which a link points to them. Lists each entry once. */
function listGroups(site: Site, id: string, accepts: (entry: Entry) => boolean): Group[] {
  const index = findEntry(site, id)
  if (index === undefined) return []
  const entries = new Map(site.entries.filter(accepts).map((entry) => [entry.header.url, entry]))
  const groups: Group[] = []
  const tokens = createMarkdown({ breaks: false }).parse(index.markdown)
  for (const [tokenIndex, { type, tag, children }] of tokens.entries()) {
    if (type === 'heading_open' && tag === 'h2')
      groups.push({ title: headingText(tokens[tokenIndex + 1]), entries: [] })
    for (const link of children?.filter((child) => child.type === 'link_open') ?? []) {
      const url = String(link.attrGet('href')).split('#', 1)[0]!
      const entry = entries.get(url)
      if (entry === undefined || groups.length === 0) continue
      entries.delete(url)
      groups.at(-1)?.entries.push(entry)
    }
  }
  return groups.filter((group) => group.entries.length > 0)
}
