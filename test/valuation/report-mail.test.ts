import { expect, test } from 'vitest'
import { renderMail } from '../../domain/mail/render.ts'
import { reportMail, type Report } from '../../domain/valuation/report-mail.ts'

const report: Report = {
  artistName: 'Nova <Quartet>',
  catalogName: 'Nova & friends',
  catalogUrl: 'https://app.example/catalogs/1',
  band: { low: '278906.25', mid: '406087.50', high: '571200.00' },
  age: { years: 1, basis: 'first-year' },
  totals: { trackCount: 3, measuredCount: 2, streams: 9_007_199_254_740_993n },
  releases: [
    { title: '<script>alert(1)</script>', trackCount: 2, measuredCount: 2, streams: 9_007_199_254_740_993n },
    { title: null, trackCount: 1, measuredCount: 0, streams: 0n },
  ],
}
const renderReport = (changes: Partial<Report> = {}) => renderMail(reportMail({ ...report, ...changes }))

test('the report shows the band, its inputs and the releases, in HTML and in plain text', () => {
  const { subject, text } = renderReport()
  expect(subject).toBe('Valuation of Nova <Quartet>: $278,906 to $571,200')
  for (const expectedText of [
    'Low\n$278,906',
    'Middle\n$406,088',
    'High\n$571,200',
    'Streams | 9,007,199,254,740,993',
    'Songs with a play count | 2 of 3',
    'Age of the catalog | 1 year (the earliest release is less than a year old and counts as one year)',
    '<script>alert(1)</script> | 2 | 2 | 9,007,199,254,740,993',
    'Without an album | 1 | 0 | 0',
    'https://app.example/catalogs/1',
  ])
    expect(text).toContain(expectedText)
})

test('the chart of the band consists of colored cells, without images, scripts or style sheets', () => {
  const { html } = renderReport()
  const colors = [...html.matchAll(/<td width="33%" align="\w+" bgcolor="(#\w{6})"/g)].map(([, color]) => color)
  expect(colors).toEqual(['#0f766e', '#115e59', '#134e4a'])
  expect(html).not.toMatch(/<(?:img|script|svg|style|link)\b/i)
  expect(html).toContain('Nova &lt;Quartet&gt;')
})

test('a long list of releases is truncated and states how many are omitted', () => {
  const releases = Array.from({ length: 52 }, (_, at) => ({
    title: `Release ${at}.`,
    trackCount: 1,
    measuredCount: 1,
    streams: 1n,
  }))
  const { text } = renderReport({ releases })
  expect(text).toContain('Release 49.')
  expect(text).not.toContain('Release 50.')
  expect(text).toContain('And 2 more releases in the catalog.')
})

test.each([
  [{ years: 10, basis: 'releases' as const }, '10 years (counted from the earliest release)'],
  [{ years: 5, basis: 'unknown' as const }, '5 years (no release date is known, so a default age is used)'],
])('the report states the age of the catalog and how it was determined: %o', (age, label) => {
  expect(renderReport({ age }).text).toContain(label)
})
