import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The folder of the skills is next to this file, both in the source tree and in `dist/`. */
const folder = fileURLToPath(new URL('./default-skills/', import.meta.url))

export type SkillFiles = { name: string; files: { path: string; content: Uint8Array }[] }

/** Reads the skills that the platform installs in every sandbox. */
export async function readPlatformSkills(): Promise<SkillFiles[]> {
  return Promise.all((await readdir(folder)).sort().map(readSkill))
}

async function readSkill(name: string): Promise<SkillFiles> {
  const entries = await readdir(`${folder}${name}`, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + name.length + 1))
  const files = paths.map(async (path) => ({ path, content: await readFile(`${folder}${name}/${path}`) }))
  return { name, files: await Promise.all(files) }
}
