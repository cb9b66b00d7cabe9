import { describe, expect, test } from 'vitest'
import { passesDmarc } from '../../../domain/mail/authentication.ts'
import { htmlToPlain } from '../../../domain/mail/plain.ts'
import { explainIgnoredReply, replyText } from '../../../domain/mail/reply.ts'

const passes = (results: string) => passesDmarc(results, { server: 'amazonses.com', domain: 'example.com' })

describe('a DMARC verdict', () => {
  test.each([
    'amazonses.com; spf=pass (x) client-ip=192.0.2.1; dkim=pass header.i=@example.com; dmarc=pass header.from=example.com;',
    'AmazonSES.com 1; dmarc = pass header.from=Example.COM',
    'amazonses.com; dmarc/1=pass (p=REJECT (strict)) policy.dmarc=reject header.from=example.com',
  ])('is a pass for the sender domain: %s', (results) => expect(passes(results)).toBe(true))

  test.each([
    '',
    'dmarc=pass header.from=example.com',
    'mx.evil.example; dmarc=pass header.from=example.com',
    'amazonses.com.evil.example; dmarc=pass header.from=example.com',
    'amazonses.com; dmarc=pass',
    'amazonses.com; dmarc=pass header.from=evil.example',
    'amazonses.com; dmarc=pass header.from=example.com.evil.example',
    'amazonses.com; dmarc=pass header.from=evil.example header.from=example.com',
    'amazonses.com; dmarc=passed header.from=example.com',
    'amazonses.com; dmarc=bestguesspass header.from=example.com',
    'amazonses.com; xdmarc=pass header.from=example.com',
    'amazonses.com; spf=pass; dkim=pass header.i=@example.com',
    'amazonses.com; dmarc=fail (dmarc=pass) header.from=example.com',
    'amazonses.com; dmarc=fail header.from=example.com; dmarc=pass header.from=example.com',
    'amazonses.com; spf=pass smtp.mailfrom="a; dmarc=pass header.from=example.com"@evil.example',
    'amazonses.com; spf=pass smtp.mailfrom="a\\"; dmarc=pass header.from=example.com; x=\\""@evil.example',
    'amazonses.com; spf=pass (; dmarc=pass header.from=example.com',
    'amazonses.com; spf=pass ); dmarc=pass header.from=example.com',
    'amazonses.com; spf=pass "; dmarc=pass header.from=example.com',
    'amazonses.com; dmarc=pass reason="header.from=example.com" header.from=evil.example',
  ])('is not a pass: %s', (results) => expect(passes(results)).toBe(false))
})

describe('an automatic email', () => {
  test.each([
    ['auto-submitted', 'auto-generated'],
    ['auto-submitted', 'Auto-Replied; owner-email="a@example.com"'],
    ['precedence', 'Auto_Reply'],
    ['x-precedence', 'bulk'],
    ['preference', 'auto_reply'],
    ['x-auto-response-suppress', 'DR, AutoReply'],
    ['x-autoreply', 'yes'],
    ['x-autorespond', ''],
    ['x-auto-reply', 'yes'],
    ['x-mail-autoreply', 'yes'],
    ['x-post-messageclass', '9; Autoresponder'],
    ['x-fc-machinegenerated', 'true'],
    ['x-ms-exchange-inbox-rules-loop', 'ada@example.com'],
    ['delivered-to', 'Autoresponder'],
    ['x-failed-recipients', 'b@example.com'],
    ['list-help', '<mailto:help@example.com>'],
    ['return-path', '<>'],
    ['content-type', 'multipart/report; report-type=delivery-status'],
  ])('is recognized by %s: %s', (name, value) => {
    const mail = { from: 'ada@example.com', text: '', html: '', headers: { [name]: value }, isAuthenticated: true }
    expect(explainIgnoredReply(mail, ['ada@example.com'])).toBe('automatic')
  })

  test.each(['no', 'no; reason=typed', 'No (typed)'])('is not indicated by the header auto-submitted: %s', (value) => {
    const mail = {
      from: 'ada@example.com',
      text: '',
      html: '',
      headers: { 'auto-submitted': value },
      isAuthenticated: true,
    }
    expect(explainIgnoredReply(mail, ['ada@example.com'])).toBeUndefined()
  })
})

const quoted = '> Streams are up.\n> Bye'
const quotedText = 'Streams are up.\nBye'
const headersAbove = (lines: string): string => `\n${lines}\n\n${quotedText}`

const extractText = (text: string): string => replyText({ text, html: '' }, htmlToPlain)

describe('the text of a reply', () => {
  test.each([
    ['Gmail, en', `On Mon, Nov 23, 2026 at 9:00 AM Agent <agent@mail.example> wrote:\n${quoted}`],
    [
      'Gmail, en, wrapped',
      `On Mon, Nov 23, 2026 at 9:00 AM Agent of a long name\n<agent@mail.example> wrote:\n${quoted}`,
    ],
    ['Gmail, de', `Am Mo., 23. Nov. 2026 um 09:00 Uhr schrieb Agent <\nagent@mail.example>:\n\n${quoted}`],
    ['Gmail, fr', `Le lun. 23 nov. 2026 à 09:00, Agent <agent@mail.example> a écrit :\n${quoted}`],
    ['Gmail, es', `El lun, 23 nov 2026 a las 9:00, Agent (<agent@mail.example>) escribió:\n${quoted}`],
    ['Gmail, pt', `Em seg., 23 de nov. de 2026 às 09:00, Agent <agent@mail.example>\nescreveu:\n${quoted}`],
    ['Gmail, it', `Il giorno lun 23 nov 2026 alle ore 09:00 Agent <agent@mail.example>\nha scritto:\n${quoted}`],
    ['Gmail, nl', `Op ma 23 nov 2026 om 09:00 schreef Agent <agent@mail.example>:\n${quoted}`],
    ['Gmail, pl', `pon., 23 lis 2026 o 09:00 Agent <agent@mail.example> napisał(a):\n${quoted}`],
    ['Gmail, ru', `пн, 23 нояб. 2026 г. в 09:00, Agent <agent@mail.example>:\n${quoted}`],
    ['Gmail, tr', `Agent <agent@mail.example>, 23 Kas 2026 Pzt, 09:00 tarihinde şunu yazdı:\n${quoted}`],
    ['Gmail, ja', `2026年11月23日(月) 9:00 Agent <agent@mail.example>:\n${quoted}`],
    ['Gmail, zh', `Agent <agent@mail.example> 于2026年11月23日周一 09:00写道：\n${quoted}`],
    ['Gmail, ko', `2026년 11월 23일 (월) 오전 9:00, Agent <agent@mail.example>님이 작성:\n${quoted}`],
    ['Apple Mail, en', `> On 23 Nov 2026, at 09:00, Agent <agent@mail.example> wrote:\n>\n${quoted}`],
    ['Apple Mail, de', `Am 23.11.2026 um 09:00 schrieb Agent <agent@mail.example>:\n\n${quotedText}`],
    ['Apple Mail, sv', `23 nov. 2026 kl. 09:00 skrev Agent <agent@mail.example>:\n\n${quoted}`],
    ['Thunderbird, en', `On 11/23/26 09:00, Agent wrote:\n${quoted}`],
    ['Thunderbird, fr', `Le 23/11/2026 à 09:00, Agent a écrit :\n${quoted}`],
    ['Yahoo', `On Monday, November 23, 2026 at 09:00:00 AM UTC, Agent <agent@mail.example> wrote:\n\n${quotedText}`],
    [
      'Outlook, en',
      headersAbove('________________________________\nFrom: Agent <agent@mail.example>\nSent: Monday\nTo: Ada'),
    ],
    ['Outlook, bold', headersAbove('*From:* Agent\n*Sent:* Monday\n*To:* Ada')],
    ['Outlook, de', headersAbove('Von: Agent <agent@mail.example>\nGesendet: Montag, 23. November 2026\nAn: Ada')],
    ['Outlook, fr', headersAbove('De : Agent <agent@mail.example>\nEnvoyé : lundi 23 novembre 2026\nÀ : Ada')],
    ['Outlook, es', headersAbove('De: Agent <agent@mail.example>\nEnviado el: lunes, 23 de noviembre\nPara: Ada')],
    ['Outlook, pt', headersAbove('De: Agent <agent@mail.example>\nEnviada em: segunda-feira\nPara: Ada')],
    ['Outlook, it', headersAbove('Da: Agent <agent@mail.example>\nInviato: lunedì 23 novembre 2026\nA: Ada')],
    ['Outlook, nl', headersAbove('Van: Agent <agent@mail.example>\nVerzonden: maandag\nAan: Ada')],
    ['Outlook, ru', headersAbove('От: Agent <agent@mail.example>\nОтправлено: понедельник\nКому: Ada')],
    ['Outlook, ja', headersAbove('差出人: Agent <agent@mail.example>\n送信日時: 2026年11月23日\n宛先: Ada')],
    ['Outlook, zh', headersAbove('发件人: Agent <agent@mail.example>\n发送时间: 2026年11月23日\n收件人: Ada')],
    ['Outlook, ko', headersAbove('보낸 사람: Agent <agent@mail.example>\n보낸 날짜: 2026년\n받는 사람: Ada')],
    ['Outlook 2010', headersAbove('-----Original Message-----\nFrom: Agent [mailto:agent@mail.example]\nSent: Monday')],
    ['QQ', headersAbove('------------------ 原始邮件 ------------------\n发件人: "Agent"')],
  ])('is the part above the quote in the format of %s', (_, quote) => {
    expect(extractText(`Yes, and add Porto:\n- two shows\n\n${quote}`)).toBe('Yes, and add Porto:\n- two shows')
  })

  test.each([
    ['text below a quote', `On 23 Nov 2026, Agent <a@mail.example> wrote:\n${quoted}\n\nYes, go on.`, 'Yes, go on.'],
    ['text between quotes', '> Streams?\nYes.\n> Porto?\nNo.', 'Yes.\nNo.'],
    ['text above a signature', 'Yes.\n-- \nAda\nCEO', 'Yes.'],
    ['text above the signature of a device', 'Yes.\n\nEnviado do meu iPhone', 'Yes.'],
    ['text with a date and a colon', 'From: 2026-01-02 we wait for:\n- x', 'From: 2026-01-02 we wait for:\n- x'],
    [
      'text with an address and a colon',
      'Write to ada@example.com before 2027:\n- x',
      'Write to ada@example.com before 2027:\n- x',
    ],
    ['text with a rule', 'One\n---\nTwo', 'One\n---\nTwo'],
  ])('%s is kept', (_, text, kept) => expect(extractText(text)).toBe(kept))

  test('is read from HTML if there is no plain text', () => {
    const html =
      '<div>Yes.</div><div>On 23 Nov 2026, Agent &lt;a@mail.example&gt; wrote:<br><blockquote>Bye</blockquote></div>'
    expect(replyText({ text: ' ', html }, htmlToPlain)).toBe('Yes.')
  })

  test.each([
    'Op schreef\n',
    '在写道\n',
    'abc. x skrev x\n',
    'On 2026 wrote:\n',
    'From:\n',
    '-',
    '> ',
    '(',
    'Von meinem ',
  ])('is found quickly in an email that repeats %j', (unit) => {
    const start = process.cpuUsage()
    extractText(unit.repeat(64_000))
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(500)
  })
})
