import type { Entry, ResultHeader } from './entry.ts'
import { parseFrontMatter, type FrontMatter } from './front-matter.ts'
import { locateEntry, type EntryLocation } from './place.ts'
import { listHeadings, plainText, servedMarkdown, type Resolve } from './prose.ts'

/** A file of `content/`, with its path relative to that folder. */
export type ContentFile = { path: string; text: string }

type Site = { siteUrl: string; facts: ReadonlyMap<string, string> }

/** Returns the entry of a file; undefined for a draft. Throws for an invalid file. */
export function handWrittenEntry({ path, text }: ContentFile, { siteUrl, facts }: Site): Entry | undefined {
  const place = locateEntry(path)
  if (place === undefined) throw new Error('the path of a content file is not a valid URL path')
  const { front, body } = parseFrontMatter(replaceFacts(text, facts))
  checkKeys(front, place)
  if (front.draft !== undefined) return undefined
  const url = `${siteUrl}${place.path}`
  const servedBody = servedMarkdown(body, resolveFrom(path, url, siteUrl))
  if (place.type === 'page' && !/^## Next steps$/m.test(servedBody)) throw new Error('a page without next steps')
  return {
    header: buildHeader(place, url, front),
    markdown: [...buildIntroduction(place, url, front), servedBody].join('\n\n'),
    keywords: (front.keywords ?? []).join(' '),
    headings: listHeadings(servedBody),
    plain: plainText(servedBody),
    ...(front.author !== undefined && { author: front.author }),
    ...(front.category !== undefined && { category: front.category }),
  }
}

/** Replaces `{{name}}` with the value of the fact. */
function replaceFacts(text: string, facts: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{\{([a-z0-9.-]+)\}\}/gi, (_, name: string) => {
    const fact = facts.get(name)
    if (fact === undefined) throw new Error(`an unknown fact: ${name}`)
    return fact
  })
}

function checkKeys({ category, author, publishedAt, representation }: FrontMatter, { type }: EntryLocation): void {
  if (type === 'blog' && (category === undefined || author === undefined || publishedAt === undefined))
    throw new Error('a post has a category, an author and a day on which it was written')
  if (type !== 'blog' && author !== undefined) throw new Error('only posts have an author')
  if (type !== 'blog' && type !== 'docs' && category !== undefined)
    throw new Error('neither pages nor playbooks have a category')
  if (type !== 'page' && representation !== undefined) throw new Error('only pages have a representation')
}

function buildHeader({ id, type }: EntryLocation, url: string, front: FrontMatter): ResultHeader {
  const { title, description, publishedAt, updatedAt, representation } = front
  return {
    id,
    type,
    title,
    description,
    url,
    representation: type === 'page' ? (representation ?? 'summary') : 'full',
    ...(publishedAt !== undefined && { publishedAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  }
}

function buildIntroduction({ type }: EntryLocation, url: string, front: FrontMatter): string[] {
  const { title, description, author, publishedAt, updatedAt, representation } = front
  const first = [`# ${title}`, `Source: ${url}`]
  if (type === 'page')
    return representation === undefined ? [...first, `This is a summary. The full page is at ${url}.`] : first
  if (type !== 'blog') return [...first, description]
  const updated = updatedAt === undefined ? [] : [`Updated: ${updatedAt}`]
  return [...first, [`Author: ${author}`, `Published: ${publishedAt}`, ...updated].join('\n\n')]
}

function resolveFrom(path: string, url: string, siteUrl: string): Resolve {
  return (target) => {
    if (/^(?:https?:\/\/|mailto:)/i.test(target)) return target
    if (target.startsWith('#')) return `${url}${target}`
    if (target.startsWith('/') && !target.startsWith('//')) return `${siteUrl}${target}`
    const [, relative, fragment = ''] = /^([^:#?]+\.md)(#[^\s]*)?$/.exec(target) ?? []
    if (relative === undefined) return undefined
    const place = locateEntry(resolveRelative(path, relative))
    if (place === undefined) throw new Error(`a broken link: ${target}`)
    return `${siteUrl}${place.path}${fragment}`
  }
}

/** Resolves a path relative to a file. */
function resolveRelative(path: string, relative: string): string {
  const parts = path.split('/').slice(0, -1)
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
