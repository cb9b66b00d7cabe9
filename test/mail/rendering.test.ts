import { setTimeout as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailRenderer, type MailRenderer } from '../../api/mail/renderer.ts'
import { renderMail } from '../../domain/mail/render.ts'

let renderer: MailRenderer
beforeAll(() => {
  renderer = createMailRenderer()
})
afterAll(() => renderer.close())

const long = { text: 'Some *words* with `code`, [a link](https://x.example) and **more**.\n\n'.repeat(1000) }

test('a mail of somebody else is rendered as any other, while the process goes on with its work', async () => {
  await renderer.render({ text: 'a' })
  const rendering = renderer.render(long)
  let turns = 0
  while ((await Promise.race([rendering.then(() => 'ended'), turn(1, 'turn')])) === 'turn') turns++
  // In the thread of the process, it would have ended before the first turn was over.
  expect(turns).toBeGreaterThan(1)
  expect(await rendering).toEqual(renderMail(long))
})

test('a kept mail is read in the same way', async () => {
  const raw = Buffer.from(`Subject: Lines\r\nContent-Type: text/plain\r\n\r\n${'a\n'.repeat(20_000)}`)
  const reading = renderer.read(raw)
  let turns = 0
  while ((await Promise.race([reading.then(() => 'ended'), turn(1, 'turn')])) === 'turn') turns++
  expect(turns).toBeGreaterThan(1)
  expect(await reading).toMatchObject({ subject: 'Lines', text: 'a\n'.repeat(20_000) })
})

test('mails that come together are all rendered', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => `Mail **${n}**`)
  const mails = await Promise.all(texts.map((text) => renderer.render({ text })))
  expect(mails.map(({ subject, html }) => [subject, /<strong>(\d+)</.exec(html)?.[1]])).toEqual(
    texts.map((text, n) => [text, String(n)]),
  )
})

test('what cannot be rendered is refused, and the next mail is rendered', async () => {
  const stopped = createMailRenderer({ maxMs: 1 })
  try {
    await expect(stopped.render(long)).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  } finally {
    await stopped.close()
  }
  expect((await renderer.render({ text: 'next' })).subject).toBe('next')
})
