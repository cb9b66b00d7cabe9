import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes the example of the guide, with its address replaced, to a new folder. Returns the path for CONNECTORS_DIR. */
export const exampleFolder = async (address: string): Promise<string> => {
  const guide = await readFile('content/docs/run/connectors.md', 'utf8')
  const indented = /```yaml\n([\s\S]*?)\n *```/.exec(guide)?.[1]
  if (indented === undefined) throw new Error('the guide has no description')
  const description = indented.replaceAll(/^ {3}/gm, '').replaceAll('https://login.studio.example', address)
  const folder = await mkdtemp(join(tmpdir(), 'backline-example-'))
  await writeFile(join(folder, 'studio.yaml'), description)
  return folder
}
