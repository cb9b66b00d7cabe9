import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflows } from '../../../workers/bundle.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A change of a workflow's source, as a later release may bring it. */
export type Change = { find: string; replace: string }

const changed = (source: string, { find, replace }: Change): string => {
  if (source.split(find).length !== 2) throw new Error(`the workflow's source does not have exactly one: ${find}`)
  return source.replace(find, () => replace)
}

/** What the bundle of a variant depends on, besides its changes: the same key means the same bundle. */
const sourcesKey = async (): Promise<string> => {
  const hash = createHash('sha256')
  const entries = await readdir(join(root, 'workflows'), { recursive: true })
  const workflows = entries.filter((name) => name.endsWith('.ts')).map((name) => join('workflows', name))
  for (const file of [...workflows.sort(), 'workers/bundle.ts', 'package-lock.json'])
    hash.update(`${file}\0`).update(await readFile(join(root, file)))
  return hash.digest('hex')
}

/** Bundles today's workflows with these changes of one file, the turn's, unless that was done; answers the bundle's path. */
export const buildWith = async (changes: Change[], file = 'chat/turn.ts'): Promise<string> => {
  const variant = createHash('sha256').update(JSON.stringify([await sourcesKey(), changes, file]))
  const bundle = join(root, 'dist', 'variants', `${variant.digest('hex')}.js`)
  if (existsSync(bundle)) return bundle
  await mkdir(dirname(bundle), { recursive: true })
  // Beneath the root, where the packages are found.
  const copy = await mkdtemp(join(root, 'dist', 'variants', 'draft-'))
  try {
    const workflows = join(copy, 'workflows')
    await cp(join(root, 'workflows'), workflows, { recursive: true })
    const turn = join(workflows, file)
    await writeFile(turn, changes.reduce(changed, await readFile(turn, 'utf8')))
    const draft = join(copy, 'bundle.js')
    await writeFile(draft, await bundleWorkflows(join(workflows, 'index.ts')))
    await rename(draft, bundle)
    return bundle
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const loop = 'for (let step = turn.step ?? 0; step < stepLimit; step++) {'
const atStep = (code: string): Change => ({ find: loop, replace: `${loop}\n${code}` })
const imported = (names: string): Change => ({ find: '  proxyActivities,\n', replace: `  proxyActivities,\n${names}` })

/** A timer more at the start of each step: histories of other code do not replay on it, nor its own on other code. */
export const unguarded: Change[] = [atStep("await sleep('1ms')")]

/** The same under a patch: histories of older code replay on it, its own do not on older code. */
export const guarded: Change[] = [imported('  patched,\n'), atStep("if (patched('pause')) await sleep('1ms')")]

/** An activity at the start of each step that no worker has. */
export const withUnknownActivity: Change[] = [
  atStep(
    "await (proxyActivities({ startToCloseTimeout: '10s' }) as Record<string, () => Promise<void>>)['prepareStep']?.()",
  ),
]
