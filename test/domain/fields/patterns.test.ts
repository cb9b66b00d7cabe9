import { expect, test } from 'vitest'
import { z } from 'zod'
import { modelChoice } from '../../../api/chat/model-choice.ts'
import { loadConfig } from '../../../config.ts'
import { text, trimmedText } from '../../../domain/fields/fields.ts'
import { emailRequest } from '../../../domain/mail/request.ts'
import { fileName, filePath, folderPath } from '../../../domain/sandboxes/personal.ts'

const samples = Object.values({
  blanks: ['', ' ', '\t', '\n', '\u0085', '\u00a0', '\u2003', '\u3000', '\ufeff', '\u200b', '\u001c', '\u2028'],
  texts: ['a', ' a ', 'a\n', '\na', 'a\nb', 'a\u007fb', 'a\u0085b', '😀', 'a b', 'é', 'a\u2028b'],
  names: ['.', '..', '...', '.a', '..a', '.g', '.gi', '.git', '.Git', '.gitx', '.gia', '.gx', 'a.git', '.git '],
  paths: ['a/b', '/a', 'a/', 'a//b', 'a/../b', 'a/.git/b', 'a/.gitx/b', 'a/.', './a', 'a\\b', '.g/.gi', 'x/.GIT'],
}).flat()

/** Returns the samples on which the validation of a field and its documented pattern disagree. */
const disagreements = (schema: z.ZodType): string[] => {
  const { pattern, minLength = 0 } = z.toJSONSchema(schema, { io: 'input' })
  if (pattern === undefined) throw new Error('the schema has no pattern')
  const regex = new RegExp(pattern, 'u')
  return samples.filter(
    (sample) => schema.safeParse(sample).success !== (regex.test(sample) && sample.length >= minLength),
  )
}

const subject = emailRequest.shape.subject.unwrap()

test.each<[string, z.ZodType]>([
  ['a text', text(1, 100)],
  ['a trimmed text', trimmedText(1, 100)],
  ['a trimmed text that may be empty', trimmedText(0, 100)],
  ['a model', modelChoice(loadConfig({}))],
  ['a subject', subject],
  ['the name of a file', fileName],
  ['the path of a file', filePath],
  ['a folder', folderPath],
])('the pattern of %s matches its validation', (_, schema) => {
  expect(disagreements(schema)).toEqual([])
})
