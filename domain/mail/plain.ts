const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

const links = /<a [^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/g
const images = /<img [^>]*?alt="([^"]*)"[^>]*>/g
const ends = /<\/(?:p|div|h[1-6]|ul|ol|dl|blockquote|pre|table|center)>|<hr[^>]*>/g
const breaks = /<br[^>]*>|<\/(?:li|tr|dt|dd|caption)>/g

const decode = (text: string): string => text.replace(/&(#?\w{1,8});/g, (all, name: string) => entities[name] ?? all)

/** The words of HTML that was cleaned: blocks apart, list items marked, links with where they lead. */
export const plainOf = (cleanedHtml: string): string =>
  decode(
    cleanedHtml
      .replace(links, (_, url: string, words: string) => (words === url || words === '' ? url : `${words} (${url})`))
      .replace(images, '$1')
      .replace(/<li[^>]*>/g, '- ')
      .replace(/<\/t[dh]>/g, '\t')
      .replace(breaks, '\n')
      .replace(ends, '\n\n')
      .replace(/<[^>]*>/g, ''),
  )
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
