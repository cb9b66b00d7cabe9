import { readTar } from '../../../activities/repositories/tar.ts'
import { cutText } from '../../../activities/tools/cut.ts'
import { parseRange } from '../../../api/media/range.ts'
import { profileOf } from '../../../domain/artists/profiles.ts'
import { chatTitleFrom } from '../../../domain/chat/messages.ts'
import { writtenWords } from '../../../domain/chat/words.ts'
import { schemaFault } from '../../../domain/connectors/schemas.ts'
import { parseMention } from '../../../domain/content/agent/mention.ts'
import { captionOf } from '../../../domain/content/caption.ts'
import { sniffImage, sniffSong } from '../../../domain/content/media.ts'
import { parseJson } from '../../../domain/fields/json.ts'
import { withoutSecrets } from '../../../domain/fields/secrets.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { passesDmarc } from '../../../domain/mail/authentication.ts'
import { plainOf } from '../../../domain/mail/plain.ts'
import { replyFault, replyText } from '../../../domain/mail/reply.ts'
import { subjectOf } from '../../../domain/mail/subject.ts'
import { createMarkdown } from '../../../domain/markdown/markdown.ts'
import { nestTokens } from '../../../domain/markdown/tree.ts'
import { sniffTrack } from '../../../domain/music/file.ts'
import { commitMessageOf } from '../../../domain/repositories/commits.ts'
import { parseSubmodules } from '../../../domain/sandboxes/personal.ts'
import { wordsOf } from '../../../domain/site/search/words.ts'
import { parseCron } from '../../../domain/tasks/cron/parse.ts'
import { readSkills, skillContent } from '../../../domain/tools/skills.ts'
import { archive, diff, frontMatter, json, mail, markdown, plain, type Grammar } from './grammars.ts'
import type { Run } from './growth.ts'

const { parse } = createMarkdown({ breaks: true })
const caption = { template: 'bedroom', length: 'short', song: 'a', artist: 'b' } as const
const hosts = { streaming: 'open.spotify.com', liveEvents: 'x.example' }

/** What is refused has been read, too. */
const orRefused =
  (run: Run): Run =>
  async (text) => {
    try {
      return await run(text)
    } catch {
      return ''
    }
  }

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

export type Surface = {
  run: Run
  grammar: Grammar
  /** Milliseconds that 64 KB may take, where it runs in a thread. */
  limitMs?: number
}

/** What reads or shows text from outside, each with the grammar of its text. */
export const surfaces: Record<string, Surface> = {
  'Markdown of the console': { run: (text) => nestTokens(parse(text)).length, grammar: markdown },
  'words as they were written': { run: (text) => writtenWords(text).text, grammar: markdown },
  'text of a reply': { run: (text) => replyText({ text, html: '' }, plainOf), grammar: mail },
  'sender of a reply': {
    run: (text) => replyFault({ from: text, text: '', html: '', headers: { 'authentication-results': text } }, []),
    grammar: mail,
  },
  'a result of authentication': {
    run: (text) => passesDmarc(text, { server: 'a', domain: 'b.c' }),
    grammar: { ...mail, pieces: [...mail.pieces, 'a;', ' dmarc=pass', ' header.from=b.c', '=', '('] },
  },
  'a subject': { run: (text) => subjectOf({ text }), grammar: mail },
  'an address of mail': { run: (text) => normalizeEmail(text), grammar: mail },
  JSON: { run: orRefused((text) => JSON.stringify(parseJson(text))), grammar: json },
  'a schema of JSON': { run: orRefused((text) => schemaFault(parseJson(text) as never)), grammar: json },
  'an archive': { run: orRefused((text) => readTar(bytes(text))), grammar: archive },
  'modules of git': { run: (text) => parseSubmodules(text), grammar: diff },
  'a commit message': { run: (text) => commitMessageOf(text), grammar: plain },
  'a skill': { run: (text) => readSkills([{ path: '/s', text }]), grammar: frontMatter },
  'a skill with arguments': { run: (text) => skillContent('/s', text, 'a b'), grammar: frontMatter },
  'a schedule': { run: (text) => parseCron(text), grammar: plain },
  secrets: { run: (text) => withoutSecrets(text), grammar: json },
  'a text that is cut': { run: (text) => cutText(text, 10_000), grammar: plain },
  'a title': { run: (text) => chatTitleFrom(text), grammar: plain },
  'a mention': { run: (text) => parseMention(text), grammar: markdown },
  'a caption': { run: (text) => captionOf(`<caption>${text}</caption>`, caption), grammar: markdown },
  'words of a search': { run: (text) => wordsOf(text), grammar: plain },
  'a profile': { run: (text) => profileOf(`https://${text}`, hosts), grammar: plain },
  'a range of bytes': { run: (text) => parseRange(`bytes=${text}`, 1000), grammar: plain },
  'headers of media': {
    run: (text) => [sniffImage, sniffSong, sniffTrack].map((sniff) => sniff(bytes(text))?.contentType ?? ''),
    grammar: archive,
  },
}
