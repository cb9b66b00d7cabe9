import { readFile, writeFile } from 'node:fs/promises'
import { releaseChangelog, releasePackage } from '../release.ts'
import { print } from '../say.ts'

/** `npm run release -- 0.2.0`: writes a version to the package files and the changelog. The caller commits and tags. */
export async function main([version = '']: string[]): Promise<void> {
  const date = new Date().toISOString().slice(0, 10)
  const edited = await Promise.all([
    editFile('package.json', (text) => releasePackage(text, version)),
    editFile('package-lock.json', (text) => releasePackage(text, version)),
    editFile('CHANGELOG.md', (text) => releaseChangelog(text, version, date)),
  ])
  // Writes only after every file was changed in memory, so that an error leaves all files unchanged.
  for (const [path, text] of edited) await writeFile(path, text)
  print(`Wrote version ${version}. After \`npm test\` and \`npm run proof\`:`)
  print(`  git commit -am "Release ${version}" && git tag -a v${version} -m "Backline ${version}"`)
}

async function editFile(path: string, edit: (text: string) => string): Promise<[path: string, text: string]> {
  return [path, edit(await readFile(path, 'utf8'))]
}
