import { CommandRefusedError } from './say.ts'

const heading = '## [Unreleased]'
const versionFormat = /^(\d+)\.(\d+)\.(\d+)$/

/** Moves the unreleased entries of a changelog to a section for the version, released on this ISO date. */
export function releaseChangelog(text: string, version: string, date: string): string {
  const [before, rest, ...more] = text.split(`${heading}\n`)
  if (before === undefined || rest === undefined || more.length > 0)
    throw new CommandRefusedError(`CHANGELOG.md must contain exactly one section ${heading}.`)
  const [entries = ''] = rest.split(/^## /m)
  if (!/^- /m.test(entries)) throw new CommandRefusedError('The unreleased section of CHANGELOG.md has no entries.')
  return `${before}${heading}\n\n## [${version}] - ${date}\n${rest}`
}

/** Replaces the version of a package file, and of the root package of a lock file. Throws for a version that is not newer. */
export function releasePackage(text: string, version: string): string {
  const file = JSON.parse(text) as { version: string; packages?: Record<string, { version?: string }> }
  requireNewer(version, file.version)
  file.version = version
  const root = file.packages?.['']
  if (root !== undefined) root.version = version
  return `${JSON.stringify(file, undefined, 2)}\n`
}

function requireNewer(version: string, current: string): void {
  const [next, last] = [toNumbers(version), toNumbers(current)]
  const difference = next.map((number, index) => number - (last[index] ?? 0)).find((step) => step !== 0) ?? 0
  if (difference <= 0) throw new CommandRefusedError(`Version ${version} is not newer than ${current}.`)
}

function toNumbers(version: string): number[] {
  const numbers = versionFormat.exec(version)?.slice(1).map(Number)
  if (numbers === undefined)
    throw new CommandRefusedError(`${version || 'An empty string'} is not a version such as 0.2.0.`)
  return numbers
}
