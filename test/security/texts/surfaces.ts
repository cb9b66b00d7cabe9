import EmailReplyParser from 'email-reply-parser'
import { readTar } from '../../../activities/repositories/tar.ts'
import { cutLines, cutText } from '../../../activities/tools/cut.ts'
import { parseRange } from '../../../api/media/range.ts'
import { renderMarkdown } from '../../../api/site/pages/markdown.ts'
import { profileOf } from '../../../domain/artists/profiles.ts'
import { chatTitleFrom } from '../../../domain/chat/messages.ts'
import { createMarkdownWords, writtenWords } from '../../../domain/chat/words.ts'
import { schemaFault } from '../../../domain/connectors/schemas.ts'
import { parseMention } from '../../../domain/content/agent/mention.ts'
import { captionOf } from '../../../domain/content/caption.ts'
import { sniffImage, sniffSong } from '../../../domain/content/media.ts'
import { parseJson } from '../../../domain/fields/json.ts'
import { withoutSecrets } from '../../../domain/fields/secrets.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { plainOf } from '../../../domain/mail/plain.ts'
import { renderMail } from '../../../domain/mail/render.ts'
import { replyFault, replyText } from '../../../domain/mail/reply.ts'
import { subjectOf } from '../../../domain/mail/subject.ts'
import { createMarkdown } from '../../../domain/markdown/markdown.ts'
import { nestTokens } from '../../../domain/markdown/tree.ts'
import { sniffTrack } from '../../../domain/music/file.ts'
import { commitMessageOf } from '../../../domain/repositories/commits.ts'
import { diffOf } from '../../../domain/repositories/diff.ts'
import { parseSubmodules } from '../../../domain/sandboxes/personal.ts'
import { plainText, servedMarkdown } from '../../../domain/site/content/prose.ts'
import { wordsOf } from '../../../domain/site/search/words.ts'
import { parseCron } from '../../../domain/tasks/cron/parse.ts'
import { globRegex } from '../../../domain/tools/glob.ts'
import { readSkills, skillContent } from '../../../domain/tools/skills.ts'
import { readMessage } from '../../../providers/mail/read-message.ts'
import { AnswerReader } from '../../../providers/model/openai/answer.ts'
import {
  archive,
  diff,
  frontMatter,
  htmlGrammar,
  json,
  mail,
  markdown,
  messages,
  plain,
  type Grammar,
} from './grammars.ts'
import type { Run } from './growth.ts'

const { parse } = createMarkdown({ breaks: true })
const parser = new EmailReplyParser()
const caption = { template: 'bedroom', length: 'short', song: 'a', artist: 'b' } as const
const hosts = { streaming: 'open.spotify.com' } as unknown as Parameters<typeof profileOf>[1]

/** What is refused has been read, too. */
const orRefused =
  (run: Run): Run =>
  (text) => {
    try {
      return run(text)
    } catch {
      return ''
    }
  }

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/** What reads or shows text from outside, each with the grammar of its text. */
export const surfaces: Record<string, { run: Run; grammar: Grammar; size?: number }> = {
  'Markdown of the console': { run: (text) => nestTokens(parse(text)).length, grammar: markdown },
  'Markdown of a shared chat': { run: (text) => createMarkdownWords()(text).text, grammar: markdown },
  'Markdown of a mail': { run: (text) => renderMail({ text }), grammar: markdown },
  'Markdown of the site': { run: (text) => renderMarkdown(text, 'https://x.example').text, grammar: markdown },
  'sentences of Markdown': { run: (text) => plainText(text), grammar: markdown },
  'Markdown as it is served': { run: (text) => servedMarkdown(text, (target) => target), grammar: markdown },
  'words as they were written': { run: (text) => writtenWords(text).text, grammar: markdown },
  'HTML of a mail': { run: (html) => renderMail({ html }), grammar: htmlGrammar },
  'HTML of a reply': { run: (html) => plainOf(html), grammar: htmlGrammar },
  'text of a reply': { run: (text) => replyText({ text, html: '' }, { parser, plainOf }), grammar: mail },
  'sender of a reply': {
    run: (text) => replyFault({ from: text, text: '', html: '', headers: { 'authentication-results': text } }, []),
    grammar: mail,
  },
  'a message of mail': { run: (text) => readMessage(Buffer.from(text)), grammar: messages },
  'a subject': { run: (text) => subjectOf({ text }), grammar: mail },
  'an address of mail': { run: (text) => normalizeEmail(text), grammar: mail },
  JSON: { run: orRefused((text) => JSON.stringify(parseJson(text))), grammar: json },
  'a schema of JSON': { run: orRefused((text) => schemaFault(parseJson(text) as never)), grammar: json },
  'an answer of a model': {
    run: orRefused((text) => {
      const answer = new AnswerReader('model', undefined)
      for (let at = 0; at < text.length; at += 997) answer.feed(text.slice(at, at + 997))
      return ''
    }),
    grammar: { ...json, pieces: [...json.pieces, 'data: ', '\n', '\n\n', ': ', 'event: a\n'] },
  },
  'a diff of git': {
    run: (text) => diffOf({ base: 'a', raw: text, numstat: text, patch: text, local: text, status: text }),
    grammar: diff,
  },
  'an archive': { run: orRefused((text) => readTar(bytes(text))), grammar: archive },
  'modules of git': { run: (text) => parseSubmodules(text), grammar: diff },
  'a commit message': { run: (text) => commitMessageOf(text), grammar: plain },
  'a skill': { run: (text) => readSkills([{ path: '/s', text }]), grammar: frontMatter },
  'a skill with arguments': { run: (text) => skillContent('/s', text, 'a b'), grammar: frontMatter },
  'a pattern of paths': { run: orRefused((text) => globRegex(text)), grammar: plain },
  'a schedule': { run: (text) => parseCron(text), grammar: plain },
  secrets: { run: (text) => withoutSecrets(text), grammar: json },
  'a text that is cut': { run: (text) => cutText(text, 10_000), grammar: plain },
  'lines that are cut': { run: (text) => cutLines(text.split('\n')), grammar: plain },
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
