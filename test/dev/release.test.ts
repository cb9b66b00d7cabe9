import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { releaseChangelog, releasePackage } from '../../dev/release.ts'

const [changelog, manifest, lock] = ['CHANGELOG.md', 'package.json', 'package-lock.json'].map((path) =>
  readFileSync(path, 'utf8'),
) as [string, string, string]

test('a release moves the unreleased entries to the version, and a second release without entries is rejected', () => {
  const released = releaseChangelog(changelog, '99.0.0', '2030-01-02')
  expect(released).toContain('## [Unreleased]\n\n## [99.0.0] - 2030-01-02\n')
  expect(released.replace('\n## [99.0.0] - 2030-01-02\n', '')).toBe(changelog)
  expect(() => releaseChangelog(released, '99.0.1', '2030-01-03')).toThrow('has no entries')
})

test('a release changes only the version in the package files', () => {
  for (const text of [manifest, lock]) {
    const { version } = JSON.parse(text) as { version: string }
    const released = releasePackage(text, '99.0.0')
    expect(released.replaceAll('"version": "99.0.0"', `"version": "${version}"`)).toBe(text)
  }
})

test.each(['0.0.0', '0.1', 'v1.0.0', ''])('a release rejects the version %j', (version) => {
  expect(() => releasePackage(manifest, version)).toThrow(/version|not newer/)
})
