import { escapeHtml } from '../pages/html.ts'
import type { CatalogAge } from './age.ts'
import type { Band } from './band.ts'
import type { CatalogTotals, ReleaseTotals } from './releases.ts'

export type Report = {
  artistName: string
  catalogName: string
  catalogUrl: string
  band: Band
  age: CatalogAge
  totals: CatalogTotals
  /** Most streams first. */
  releases: readonly ReleaseTotals[]
}

/** Number of releases listed in an email; other releases are only counted. */
const maxReleases = 50

const ageNote: Record<CatalogAge['basis'], string> = {
  releases: 'counted from the earliest release',
  'first-year': 'the earliest release is less than a year old and counts as one year',
  unknown: 'no release date is known, so a default age is used',
}

/** Returns the subject and HTML of the email that reports a valuation. Texts of users and platforms are escaped. */
export function reportMail(report: Report): { subject: string; html: string } {
  const { artistName, catalogName, catalogUrl, band, age, totals, releases } = report
  const facts = [
    fact('Streams', count(totals.streams)),
    fact('Songs with a play count', `${count(totals.measuredCount)} of ${count(totals.trackCount)}`),
    fact('Age of the catalog', `${years(age.years)} (${ageNote[age.basis]})`),
  ]
  return {
    subject: `Valuation of ${artistName}: ${formatDollars(band.low)} to ${formatDollars(band.high)}`,
    html: [
      `<h1>What ${escapeHtml(artistName)} may be worth</h1>`,
      `<p>An estimate of the master catalog, in US dollars.</p>`,
      bandPicture(band),
      `<h2>What it is derived from</h2>`,
      table(facts.join('')),
      `<h2>Releases</h2>`,
      releaseTable(releases),
      `<p><a href="${escapeHtml(catalogUrl)}">Open ${escapeHtml(catalogName)}</a></p>`,
      '<p>This is an estimate from public play counts and not an offer. It does not consider contracts, recoupments or rights.</p>',
    ].join('\n'),
  }
}

function fact(label: string, value: string): string {
  return `<tr>${cell(label)}${cell(value, 'text-align:right')}</tr>`
}

function cell(text: string, style = ''): string {
  return `<td style="padding:6px 8px;border-bottom:1px solid #e4e4e7;${style}">${text}</td>`
}

function count(value: bigint | number): string {
  return groupDigits(String(value))
}

function groupDigits(digits: string): string {
  return BigInt(digits).toLocaleString('en-US')
}

function years(count: number): string {
  return `${count} ${count === 1 ? 'year' : 'years'}`
}

/** Formats an amount, rounded half up to the dollar, because an estimate has no meaningful cents. */
function formatDollars(usd: string): string {
  const [whole = '0', cents = '0'] = usd.split('.')
  return `$${groupDigits(String(BigInt(whole) + (Number(cents) >= 50 ? 1n : 0n)))}`
}

/** Renders the band as a row of colored cells, which all email clients display the same way. */
function bandPicture({ low, mid, high }: Band): string {
  return (
    '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse"><tr>' +
    edge('Low', low, { background: '#0f766e', align: 'left' }) +
    edge('Middle', mid, { background: '#115e59', align: 'center' }) +
    edge('High', high, { background: '#134e4a', align: 'right' }) +
    '</tr></table>'
  )
}

function edge(label: string, usd: string, { background, align }: { background: string; align: string }): string {
  return (
    `<td width="33%" align="${align}" bgcolor="${background}" style="padding:14px 10px;background-color:${background};color:#ffffff">` +
    `<span style="font-size:12px">${label}</span><br /><strong style="font-size:18px">${formatDollars(usd)}</strong></td>`
  )
}

function table(rows: string): string {
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;font-size:14px">${rows}</table>`
}

function releaseTable(releases: readonly ReleaseTotals[]): string {
  const rest = releases.length - maxReleases
  const head = `<tr>${['Release', 'Tracks', 'Measured', 'Streams'].map((text, index) => cell(`<strong>${text}</strong>`, index === 0 ? '' : 'text-align:right')).join('')}</tr>`
  return (
    table(head + releases.slice(0, maxReleases).map(releaseRow).join('')) +
    (rest > 0 ? `<p>And ${count(rest)} more ${rest === 1 ? 'release' : 'releases'} in the catalog.</p>` : '')
  )
}

function releaseRow({ title, trackCount, measuredCount, streams }: ReleaseTotals): string {
  return (
    `<tr>${cell(title === null ? 'Without an album' : escapeHtml(title))}` +
    [count(trackCount), count(measuredCount), count(streams)].map((text) => cell(text, 'text-align:right')).join('') +
    '</tr>'
  )
}
