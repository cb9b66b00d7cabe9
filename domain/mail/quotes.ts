/** Maximum length of a line that introduces a quote, which bounds the time that the patterns take. */
const maxLineLength = 400
/** Maximum lines of an introduction, because email clients wrap it at about 70 columns. */
const maxIntroductionLines = 3
/** Maximum lines from the sender to the date in the headers of a quoted email. */
const maxHeaderLines = 4

const verb =
  /wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|geschreven|napisał|pisze|skrev|kirjoitti|написал|писал|пишет|yazdı|写道|寫道|メッセージ|書きました|작성/i
const address = /(?<=[^\s<>@]@)[^\s<>@.]+\.[^\s<>@]/
const date = /(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2}/
const colon = /[:：]$/
/** Introductions without a verb end in the address. */
const finalAddress = /<[^<>\s@]+@[^<>\s@]+>\s*[:：]$/

const fromHeader =
  /^[\s*>]*(?:From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|От|Kimden|差出人|发件人|寄件者|보낸 사람)[\s*]*[:：]/i
const sentHeader =
  /^[\s*>]*(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Enviada(?: em)?|Fecha|Data|Inviato|Verzonden|Skickat|Sendt|Dato|Lähetetty|Wysłano|Отправлено|Дата|Gönderildi|Gönderme Tarihi|Tarih|送信日時|日付|日期|发送时间|寄件日期|보낸 날짜|날짜)[\s*]*[:：]/i
const separator = /^\s*(?:-{5,}\s*\p{L}[\p{L}\s'’]{2,40}-{5,}|_{10,})\s*$/u
const letter = /\p{L}/u

/** Counts the lines, up to the line `last`, that introduce a quoted email. Returns 0 if there is none. */
export function countIntroduction(lines: readonly string[], last: number): number {
  if (!colon.test((lines[last] ?? '').trimEnd())) return 0
  let text = ''
  let count = 0
  for (let lineCount = 1; lineCount <= maxIntroductionLines; lineCount++) {
    const line = (lines[last - lineCount + 1] ?? '').trim()
    text = `${line} ${text}`.trim()
    if (line === '' || isQuoted(line) || text.length > maxLineLength) break
    const isIntroduction = verb.test(text)
      ? date.test(text) || address.test(text)
      : date.test(text) && finalAddress.test(text)
    if (isIntroduction) count = lineCount
    // A line above belongs to the introduction only if the date is still missing.
    if (isIntroduction && date.test(text)) break
  }
  return count
}

/** Returns whether a quoted email starts at this line, with its headers or a separator. */
export function startsQuotedMail(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? ''
  if (line.length > maxLineLength) return false
  if (separator.test(line) && letter.test(line)) return true
  return (
    fromHeader.test(line) &&
    lines.slice(index + 1, index + maxHeaderLines).some((next) => sentHeader.test(next.slice(0, maxLineLength)))
  )
}

export function isQuoted(line: string): boolean {
  return line.trimStart().startsWith('>')
}

export function isSeparator(line: string): boolean {
  return line.length <= maxLineLength && separator.test(line)
}
