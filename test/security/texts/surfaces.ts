import { readTar } from '../../../activities/repositories/tar.ts'
import { cutLines, cutText } from '../../../activities/tools/output/cut.ts'
import { parseRange } from '../../../api/media/range.ts'
import { parseProfile } from '../../../domain/artists/profiles.ts'
import { chatTitleFrom } from '../../../domain/chat/messages.ts'
import { createMarkdownRenderer, renderPlainText } from '../../../domain/chat/rendered-text.ts'
import { explainUnusableSchema } from '../../../domain/connectors/schemas.ts'
import { parseMention } from '../../../domain/content/agent/mention.ts'
import { parseCaption } from '../../../domain/content/caption.ts'
import { sniffImage, sniffSong } from '../../../domain/content/media.ts'
import { parseJson } from '../../../domain/fields/json.ts'
import { withoutSecrets } from '../../../domain/fields/secrets.ts'
import { normalizeEmail } from '../../../domain/mail/addresses.ts'
import { passesDmarc } from '../../../domain/mail/authentication.ts'
import { htmlToPlain } from '../../../domain/mail/plain.ts'
import { renderMail } from '../../../domain/mail/render.ts'
import { explainIgnoredReply, replyText } from '../../../domain/mail/reply.ts'
import { deriveSubject } from '../../../domain/mail/subject.ts'
import { createMarkdown } from '../../../domain/markdown/markdown.ts'
import { nestTokens } from '../../../domain/markdown/tree.ts'
import { sniffTrack } from '../../../domain/music/file.ts'
import { parseCommitMessage } from '../../../domain/repositories/commits.ts'
import { buildDiff } from '../../../domain/repositories/diff.ts'
import { parseSubmodules } from '../../../domain/sandboxes/personal.ts'
import { parseWords } from '../../../domain/site/search/words.ts'
import { parseCron } from '../../../domain/tasks/cron/parse.ts'
import { globRegex } from '../../../domain/tools/glob.ts'
import { readSkills, skillContent } from '../../../domain/tools/skills.ts'
import { readMessage } from '../../../providers/mail/read-message.ts'
import { readHeaders, readSender } from '../../../providers/mail/received-headers.ts'
import { AnswerReader } from '../../../providers/model/openai/answer.ts'
import {
  modelEvents,
  archive,
  diff,
  frontMatter,
  htmlGrammar,
  json,
  mail,
  markdown,
  messages,
  paths,
  plain,
  type Grammar,
} from './grammars.ts'
import type { Run } from './growth.ts'

const { parse } = createMarkdown({ breaks: true })
const caption = { template: 'bedroom', length: 'short', song: 'a', artist: 'b' } as const
const hosts = { streaming: 'open.spotify.com', liveEvents: 'x.example' }
const git = { base: 'a', raw: '', numstat: '', patch: '', local: '', status: '' }

/** Wraps `run` so that it returns an empty string if it rejects the text. */
const ignoreRejection =
  (run: Run): Run =>
  async (text) => {
    try {
      return await run(text)
    } catch {
      return ''
    }
  }

const toBytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/**
 * Feeds the text in chunks of 997 characters, a prime number, so that chunk borders do not align with the pieces of the
 * grammar.
 */
const feedModelStream = (text: string): number => {
  const reader = new AnswerReader({ adapter: 'model' }, undefined)
  let parts = 0
  for (let offset = 0; offset < text.length; offset += 997)
    parts += reader.feed(text.slice(offset, offset + 997)).length
  return parts + reader.end().length
}

export type Surface = {
  run: Run
  grammar: Grammar
  /** Maximum milliseconds for 64 KB of text, if the default is too low for a text that a separate thread processes. */
  limitMs?: number
}

/** Functions that read or render external text, with the grammar of the text. */
export const surfaces: Record<string, Surface> = {
  'Markdown of the console': { run: (text) => nestTokens(parse(text)).length, grammar: markdown },
  'Markdown of a shared chat': { run: (text) => createMarkdownRenderer()(text).text, grammar: markdown },
  // Three libraries read the text: Markdown, the sanitizer, and the conversion to plain text.
  'Markdown of an email': { run: (text) => renderMail({ text }), grammar: markdown, limitMs: 200 },
  'plain text of Markdown': { run: (text) => renderPlainText(text).text, grammar: markdown },
  'HTML of an email': { run: (html) => renderMail({ html }), grammar: htmlGrammar },
  'HTML of a reply': { run: (html) => replyText({ text: '', html }, htmlToPlain), grammar: htmlGrammar },
  'text of a reply': { run: (text) => replyText({ text, html: '' }, htmlToPlain), grammar: mail },
  'sender of a reply': {
    run: (text) =>
      explainIgnoredReply({ from: text, text: '', html: '', headers: { 'authentication-results': text } }, []),
    grammar: mail,
  },
  'an email message': {
    run: ignoreRejection((text) => readMessage(Buffer.from(text))),
    grammar: messages,
    limitMs: 2000,
  },
  'headers of a received email': {
    run: async (text) => readSender(await readHeaders(new Blob([text]).stream())),
    grammar: messages,
  },
  'an Authentication-Results header': {
    run: (text) => passesDmarc(text, { server: 'a', domain: 'b.c' }),
    grammar: { ...mail, pieces: [...mail.pieces, 'a;', ' dmarc=pass', ' header.from=b.c', '=', '('] },
  },
  'a subject': { run: (text) => deriveSubject({ text }), grammar: mail },
  'an email address': { run: (text) => normalizeEmail(text), grammar: mail },
  JSON: { run: ignoreRejection((text) => JSON.stringify(parseJson(text))), grammar: json },
  'a JSON schema': {
    run: ignoreRejection((text) => explainUnusableSchema(parseJson(text) as never)),
    grammar: json,
  },
  'a model answer': {
    run: ignoreRejection(feedModelStream),
    grammar: modelEvents,
  },
  'an archive': { run: ignoreRejection((text) => readTar(toBytes(text))), grammar: archive },
  'a Git patch': { run: (patch) => buildDiff({ ...git, patch, local: patch }), grammar: diff },
  'Git file lists': { run: (text) => buildDiff({ ...git, raw: text, numstat: text, status: text }), grammar: diff },
  'a .gitmodules file': { run: (text) => parseSubmodules(text), grammar: diff },
  'a commit message': { run: (text) => parseCommitMessage(text), grammar: plain },
  'a skill': { run: (text) => readSkills([{ path: '/s', text }]), grammar: frontMatter },
  'a skill with arguments': { run: (text) => skillContent('/s', text, 'a b'), grammar: frontMatter },
  'a schedule': { run: (text) => parseCron(text), grammar: plain },
  'a glob': { run: ignoreRejection((text) => globRegex(text)), grammar: paths },
  secrets: { run: (text) => withoutSecrets(text), grammar: json },
  'a truncated text': { run: (text) => cutText(text, 10_000), grammar: plain },
  'truncated lines': { run: (text) => cutLines(text.split('\n')).lines.length, grammar: plain },
  'a title': { run: (text) => chatTitleFrom(text), grammar: plain },
  'a mention': { run: (text) => parseMention(text), grammar: markdown },
  'a caption': { run: (text) => parseCaption(`<caption>${text}</caption>`, caption), grammar: markdown },
  'a search query': { run: (text) => parseWords(text), grammar: plain },
  'a profile': { run: (text) => parseProfile(`https://${text}`, hosts), grammar: plain },
  'a byte range': { run: (text) => parseRange(`bytes=${text}`, 1000), grammar: plain },
  'the first bytes of a media file': {
    run: (text) => [sniffImage, sniffSong, sniffTrack].map((sniff) => sniff(toBytes(text))?.contentType ?? ''),
    grammar: archive,
  },
}
