import { repeat, type TextBuilder } from './generate.ts'

/** Pieces for generated texts, and sample texts that make parsers backtrack. */
export type Grammar = { pieces: readonly string[]; samples: Readonly<Record<string, TextBuilder>> }

const concatenate = (piece: (n: number) => string, size: number): string => {
  let text = ''
  for (let n = 0; text.length < size; n++) text += piece(n)
  return text
}
const formatTable = (columns: number, size: number): string =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${repeat('|a|\n', size - 4 * columns)}`

export const markdown: Grammar = {
  pieces: (
    '* ** _ __ ~~ ` `` ``` ~~~ [ ] ( ) ![ ]( [a]: < > <!-- --> <? ?> <a </a> <b " \' \\ | |- :-: - + 1. # ## ===  & &amp; ' +
    'http:// www. a@b. a b é 😀 \t \0'
  )
    .split(' ')
    .concat(' ', '    ', '> ', '- ', '[ ] ', '\n', '  \n'),
  samples: {
    'short rows': (size) => formatTable(Math.floor(size / 16), size),
    'tables of short rows': (size) => repeat(`${formatTable(250, 2000)}\n`, size),
    'one row of many cells': (size) => `${repeat('a|', size / 4)}\n${repeat('-|', size / 4)}\n`,
    rows: (size) => `|a|b|\n|-|-|\n${repeat('|1|2|\n', size)}`,
    'escaped pipes': (size) => `|a|\n|-|\n|${repeat('\\|', size)}`,
    'a repeated address': (size) => `[a]: ${repeat('b', size / 2)}\n\n${repeat('[a]', size / 2)}`,
    'a repeated title': (size) => `[a]: b "${repeat('c', size / 2)}"\n\n${repeat('[a]', size / 2)}`,
    definitions: (size) => concatenate((n) => `[${n}]: b\n`, size),
    'a title without an end': (size) => `[a]: b "${repeat('c\n', size)}`,
    'destinations without an end': (size) => repeat('[a](<b', size),
    'nested brackets': (size) => repeat('[', size / 2) + repeat(']', size / 2),
    'nested links': (size) => repeat('[a', size / 2) + repeat('](b)', size / 2),
    parentheses: (size) => `[a](${repeat('(', size)}`,
    'unclosed emphasis': (size) => repeat('*a **a ', size),
    'marks of many lengths': (size) => concatenate((n) => `a${'*'.repeat(n % 80)} `, size),
    'ticks of many lengths': (size) => concatenate((n) => `a${'`'.repeat(n)}`, size),
    'quotes of many depths': (size) => concatenate((n) => `${'> '.repeat(n % 40)}- a\n`, size),
    'items of many depths': (size) => concatenate((n) => `${' '.repeat(n)}- a\n`, size),
    'lazy items': (size) => repeat('- a\nb\n', size),
    'blank lines in an item': (size) => `- a\n${repeat('\n', size)}b`,
    'spaces before the end': (size) => `a${repeat(' ', size)}\nb`,
    'spaces within': (size) => `a${repeat(' ', size)}b`,
    'hashes behind a heading': (size) => `# ${repeat('# ', size)}a`,
    underlined: (size) => `${repeat('a\n', size)}===`,
    'invalid rules': (size) => `${repeat('- ', size)}a`,
    'comments without an end': (size) => repeat('a <!-- ', size),
    'instructions without an end': (size) => repeat('a <? ', size),
    'sections without an end': (size) => repeat('a <![CDATA[ ', size),
    'declarations without an end': (size) => repeat('a <!A ', size),
    'attributes without an end': (size) => `x <a${repeat(' a', size)}`,
    'an address with marks behind it': (size) => `http://a.b${repeat('?!', size)}`,
    'an address with brackets': (size) => `http://a.b/${repeat('(', size)}`,
    addresses: (size) => repeat('http://a.b ', size),
    mails: (size) => repeat('a_b@c.d.', size),
    'raw elements': (size) => repeat('a <b>', size),
    'raw elements with other end tags': (size) => repeat('<b>', size / 2) + repeat('</i>', size / 2),
    'raw blocks': (size) => repeat('<div>\n\n', size),
  },
}

export const htmlGrammar: Grammar = {
  pieces: [
    ...'<p> </p> <div> </div> <b> <a> </a> <table> <tr> <td> </table> <ul> <li> </ul> <ol> <br> <pre> <blockquote> <img> <!-- --> < > </ & &amp; &#x a " = \''.split(
      ' ',
    ),
    ' ',
    '\n',
    '<a href="https://x">',
    '<p style="color:red;',
    '<td colspan="1000">',
    '<img src="https://x" alt="',
    '<script>',
    '<style>',
    '<textarea>',
    '<![CDATA[',
    '<svg>',
  ],
  samples: {
    nested: (size) => repeat('<div>', size),
    'nested inline': (size) => repeat('<b>', size),
    'nested quotes': (size) => repeat('<blockquote>', size / 2) + repeat('a\n', size / 2),
    'nested tables': (size) => repeat('<table><tr><td>', size),
    'nested lists': (size) => repeat('<ul><li>a', size),
    'other end tags': (size) => repeat('<b></i>', size),
    'end tags without start tags': (size) => repeat('<b>', size / 3) + repeat('</i>', size / 2),
    cells: (size) => `<table><tr>${repeat('<td>a</td>', size)}</tr></table>`,
    rows: (size) => `<table>${repeat('<tr><td>a</td></tr>', size)}</table>`,
    items: (size) => `<ol>${repeat('<li>a</li>', size)}</ol>`,
    declarations: (size) => `<p style="${repeat('color:red;', size)}">a</p>`,
    'a value of a style': (size) => `<p style="color:${repeat('a ', size)}">a</p>`,
    'functions in a style': (size) => `<p style="width:${repeat('rgb(', size)}">a</p>`,
    'blocks in a style': (size) => `<p style="${repeat('a{', size)}">a</p>`,
    'comments in a style': (size) => `<p style="${repeat('/*', size)}">a</p>`,
    'quotes in a style': (size) => `<p style="a:${repeat("'\\", size)}">a</p>`,
    styles: (size) => repeat('<p style="color:red">a</p>', size),
    attributes: (size) => `<p ${concatenate((n) => `a${n}=b `, size)}>a</p>`,
    'attributes without an end': (size) => repeat('<a b="', size),
    'tags without an end': (size) => repeat('<a ', size),
    entities: (size) => repeat('&amp', size),
    'comments without an end': (size) => repeat('<!--', size),
    'spaces in an address': (size) => `<a href="https://${repeat(' ', size)}x">a</a>`,
    'controls in an address': (size) => `<a href="${repeat('java\tscript:', size)}">a</a>`,
    'a long word': (size) => `<p>${repeat('a', size)}</p>`,
    spaces: (size) => `<p>a${repeat(' ', size)}b</p>`,
    breaks: (size) => repeat('<br>', size),
  },
}

export const mail: Grammar = {
  pieces: [
    ...'a: , ; < > @ ( ) " \\ = =? ?= utf-8 -- --b Subject: From: To: Content-Type: > >> On wrote: __ *'.split(' '),
    ' ',
    '\n',
    '\r\n',
    '\r\n ',
    '=?utf-8?B?YQ==?=',
    '=?utf-8?Q?a?=',
    '=0A',
    'multipart/mixed; boundary="b"',
    'On a, b wrote:\n',
    'Sent from my ',
    '-----Original Message-----',
  ],
  samples: {
    'quoted lines': (size) => repeat('> a\n', size),
    'nested quotes': (size) => repeat('>', size),
    'starts of a quote': (size) => repeat('On a wrote\n', size),
    'a start without an end': (size) => `On ${repeat('a ', size)}`,
    'starts without an end': (size) => repeat('On ', size),
    'starts in lines': (size) => repeat('On a\n', size),
    'names and addresses': (size) => repeat('From: a <a@b.c>\n', size),
    signatures: (size) => repeat('-- \n', size),
    underscores: (size) => repeat('_', size),
    dashes: (size) => repeat('-\n', size),
    'blank lines': (size) => `a${repeat('\n', size)}b`,
    spaces: (size) => `a${repeat(' ', size)}\nb`,
    'lines of spaces': (size) => repeat(' \n', size),
    stars: (size) => repeat('*', size),
    'Chinese starts': (size) => repeat('在 写道', size),
    'dates of a reply': (size) => repeat('2020-01-01 a <a@b', size),
  },
}

const formatMessage = (headers: string, body = 'a'): string => `${headers}\r\n\r\n${body}`

export const messages: Grammar = {
  pieces: mail.pieces,
  samples: {
    headers: (size) => formatMessage(repeat('A: b\r\n', size)),
    'a folded header': (size) => formatMessage(`Subject: a${repeat('\r\n b', size)}`),
    senders: (size) => formatMessage(`From: ${repeat('a:', size)}`),
    'a long sender': (size) => formatMessage(`From: "${repeat('a ', size)}" <a@b.c>`),
    addresses: (size) => formatMessage(`To: ${repeat('a@b.c, ', size)}`),
    groups: (size) => formatMessage(`To: ${repeat('a:', size)}`),
    comments: (size) => formatMessage(`To: ${repeat('(', size)}`),
    quotes: (size) => formatMessage(`To: ${repeat('"\\', size)}`),
    'encoded words': (size) => formatMessage(`Subject: ${repeat('=?utf-8?Q?a?= ', size)}`),
    'encoded words without an end': (size) => formatMessage(`Subject: ${repeat('=?utf-8?Q?', size)}`),
    parameters: (size) => formatMessage(`Content-Type: text/plain${repeat('; a=b', size)}`),
    'continued parameters': (size) =>
      formatMessage(`Content-Type: text/plain${concatenate((n) => `; a*${n}=b`, size)}`),
    parts: (size) => formatMessage('Content-Type: multipart/mixed; boundary=b', repeat('--b\r\n\r\na\r\n', size)),
    'nested parts': (size) =>
      formatMessage(
        'Content-Type: multipart/mixed; boundary=b0',
        concatenate((n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`, size),
      ),
    'nested emails': (size) => repeat('Content-Type: message/rfc822\r\n\r\n', size),
    'quoted bytes': (size) => formatMessage('Content-Transfer-Encoding: quoted-printable', repeat('=41', size)),
    'soft breaks': (size) => formatMessage('Content-Transfer-Encoding: quoted-printable', repeat('a=\r\n', size)),
    base64: (size) => formatMessage('Content-Transfer-Encoding: base64', repeat('YQ==', size)),
    lines: (size) => formatMessage('Content-Type: text/plain', repeat('a\n', size)),
    flowed: (size) => formatMessage('Content-Type: text/plain; format=flowed', repeat('a \n', size)),
    html: (size) => formatMessage('Content-Type: text/html', repeat('<div>a', size)),
    'html comments': (size) => formatMessage('Content-Type: text/html', repeat('<!--', size)),
    'html tags': (size) => formatMessage('Content-Type: text/html', repeat('<a ', size)),
    entities: (size) => formatMessage('Content-Type: text/html', repeat('&a', size)),
  },
}

export const plain: Grammar = {
  pieces: [
    'a',
    ' ',
    '\n',
    '\t',
    '.',
    '/',
    '-',
    '_',
    '"',
    "'",
    '\\',
    ':',
    ',',
    '@',
    '*',
    '{',
    '}',
    '[',
    ']',
    '😀',
    'é',
    '\0',
    '1',
  ],
  samples: {
    letters: (size) => repeat('a', size),
    spaces: (size) => `a${repeat(' ', size)}b`,
    'blank lines': (size) => `a${repeat('\n', size)}b`,
    'unpaired surrogates': (size) => repeat('\ud83d', size),
    slashes: (size) => `${repeat('/', size)}a`,
    dots: (size) => `${repeat('../', size)}a`,
    words: (size) => concatenate((n) => `w${n} `, size),
  },
}

export const paths: Grammar = {
  pieces: ['a', '/', './', '*', '**', '**/', '?', '[', '[!', '[]', ']', '{', '}', ',', '\\', '-', 'a-z', '{a,b}'],
  samples: {
    ...plain.samples,
    'unclosed braces': (size) => repeat('{', size),
    'nested braces': (size) => repeat('{', size / 2) + repeat('}', size / 2),
    'braces that are closed at the end': (size) => `${repeat('{a,', size)}}`,
    'unclosed brackets': (size) => repeat('[', size),
    'brackets with escaped ends': (size) => repeat('[\\]', size),
    'brackets of slashes': (size) => repeat('[/', size) + ']',
    'a bracket of many': (size) => `[${repeat('abc]', size).replaceAll(']', '')}]`,
    stars: (size) => repeat('*', size),
    depths: (size) => repeat('**/', size),
  },
}

export const json: Grammar = {
  pieces: [
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ':',
    ',',
    '{"a":',
    '[1,',
    '"$ref":"#/a"',
    'null',
    '1e9',
    '\\u0000',
    ' ',
    '\n',
  ],
  samples: {
    brackets: (size) => repeat('[', size),
    objects: (size) => repeat('{"a":', size),
    values: (size) => `[${repeat('0,', size)}0]`,
    members: (size) => `{${concatenate((n) => `"a${n}":0,`, size)}"b":0}`,
    'lists of lists': (size) => `[${repeat('[],', size)}0]`,
    'a string': (size) => `"${repeat('a', size)}"`,
    escapes: (size) => `"${repeat('\\"', size)}"`,
    'equal keys': (size) => `{${repeat('"a":{},', size)}"b":0}`,
    references: (size) => `{"properties":{${concatenate((n) => `"a${n}":{"$ref":"#/$defs/a"},`, size)}"b":{}}}`,
    secrets: (size) => repeat('eyJhbGciOi.eyJ', size),
    'starts of tokens': (size) => repeat('Bearer sk_', size),
    'starts of addresses': (size) => repeat('https://a:', size),
    digits: (size) => `[1${repeat('0', size)}]`,
  },
}

const formatDeltaEvent = (fields: string): string => `data: {"choices":[{"index":0,"delta":{${fields}}}]}\n\n`
const formatCallEvent = (n: number): string =>
  formatDeltaEvent(`"tool_calls":[{"index":${n},"id":"c${n}","function":{"name":"a","arguments":"b"}}]`)

/** Events of a model. The samples contain complete events. */
export const modelEvents: Grammar = {
  pieces: [...json.pieces, 'data: ', ': ', 'event: a\n', '\n\n', formatDeltaEvent('"content":"a"'), formatCallEvent(0)],
  samples: {
    'pieces of text': (size) => repeat(formatDeltaEvent('"content":"a"'), size),
    'pieces of reasoning': (size) => repeat(formatDeltaEvent('"reasoning_content":"a"'), size),
    'pieces of a call': (size) => repeat(formatCallEvent(0), size),
    calls: (size) => concatenate(formatCallEvent, size),
    blocks: (size) => formatDeltaEvent(`"content":[${repeat('{"type":"text","text":"a"},', size)}{}]`),
    'a long piece': (size) => formatDeltaEvent(`"content":"${repeat('a', size)}"`),
    'lines of one event': (size) => repeat('data: a\n', size),
    'an event without an end': (size) => `data: ${repeat('a', size)}`,
    comments: (size) => repeat(': a\n', size),
    'line ends': (size) => repeat('\r\n', size),
  },
}

export const diff: Grammar = {
  pieces: [
    'diff --git a/a b/a\n',
    '--- a/a\n',
    '+++ b/a\n',
    '@@ -1 +1 @@\n',
    '+a\n',
    '-a\n',
    '\0',
    '\t',
    '"',
    '\\',
    '1\t1\ta\0',
    ':100644 100644 a a M\0a\0',
    ':100644 100644 a a R100\0a\0b\0',
    '[submodule "a"]\n',
    'path = a\n',
    'url = https://a\n',
  ],
  samples: {
    blocks: (size) => repeat('diff --git a/a b/a\n', size),
    files: (size) => concatenate((n) => `diff --git a/${n} b/${n}\n`, size),
    changes: (size) => concatenate((n) => `:100644 100644 a a M\0a${n}\0`, size),
    counts: (size) => concatenate((n) => `1\t1\ta${n}\0`, size),
    renames: (size) => concatenate((n) => `1\t1\t\0a${n}\0b${n}\0`, size),
    modules: (size) => concatenate((n) => `[submodule "a${n}"]\n\tpath = a${n}\n\turl = https://a/${n}\n`, size),
    quotes: (size) => `diff --git "a/${repeat('\\', size)}`,
    lines: (size) => `diff --git a/a b/a\n${repeat('+a\n', size)}`,
    controls: (size) => `:100644 100644 a a M\0${repeat('\u0001', size)}\0`,
  },
}

const formatTarHeader = (type: string, length: number): string => {
  const header = `${'a'.padEnd(124, '\0')}${length.toString(8).padStart(11, '0')}`.padEnd(156, '\0')
  return `${header}${type}`.padEnd(512, '\0')
}

export const archive: Grammar = {
  pieces: [
    '\0',
    ' ',
    '1',
    '7',
    'x',
    'L',
    '0',
    'ustar',
    '10 path=a\n',
    formatTarHeader('0', 0),
    formatTarHeader('x', 512),
    '\x89PNG',
    'RIFF',
    'ID3',
  ],
  samples: {
    'empty files': (size) => repeat(formatTarHeader('0', 0), size),
    'long names': (size) => formatTarHeader('L', size) + repeat('a', size),
    records: (size) => formatTarHeader('x', size) + repeat('1 ', size),
    lines: (size) => formatTarHeader('x', size) + repeat('10 a=b\n', size),
    zeros: (size) => repeat('\0', size),
    'a picture': (size) => `\x89PNG\r\n\x1a\n${repeat('IHDR', size)}`,
    'a song': (size) => `ID3${repeat('\xff\xfb', size)}`,
  },
}

const formatSkill = (head: string, body = ''): string => `---\nname: a\ndescription: b\n${head}\n---\n${body}`

export const frontMatter: Grammar = {
  pieces: [
    'a: ',
    'b',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '"',
    "'",
    '|',
    '>',
    '&a ',
    '*a ',
    '!t ',
    '#',
    '\n',
    '  ',
    '---\n',
    '$ARGUMENTS',
  ],
  samples: {
    keys: (size) => formatSkill(concatenate((n) => `a${n}: b\n`, size)),
    'one key': (size) => formatSkill(repeat('a: b\n', size)),
    brackets: (size) => formatSkill(`a: ${repeat('[', size)}`),
    lists: (size) => formatSkill(repeat('- ', size)),
    questions: (size) => formatSkill(repeat('? ', size)),
    aliases: (size) => formatSkill(`a: &a [b]\n${concatenate((n) => `c${n}: *a\n`, size)}`),
    'aliases of aliases': (size) =>
      formatSkill(concatenate((n) => `a${n}: &a${n} [${n === 0 ? 'b' : `*a${n - 1},*a${n - 1}`}]\n`, size)),
    'a quote': (size) => formatSkill(`a: "${repeat('\\', size)}`),
    'a block of text': (size) => formatSkill(`a: |\n${repeat('  b\n', size)}`),
    comments: (size) => formatSkill(repeat('# a\n', size)),
    depths: (size) => formatSkill(concatenate((n) => `${' '.repeat(n)}a:\n`, size)),
    body: (size) => formatSkill('', repeat('$ARGUMENTS ', size)),
    ends: (size) => repeat('---\n', size),
    spaces: (size) => formatSkill(`a:${repeat(' ', size)}b`),
  },
}
