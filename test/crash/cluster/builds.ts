import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBundle } from '../../../dev/node-bundle.ts'
import { temporalSdk, workflowThread } from '../../../dev/bundle-plugins.ts'
import { bundleWorkflows } from '../../../workers/bundle.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A change of a workflow's source, as a later release may contain it. */
export type Change = { find: string; replace: string }

const applyChange = (source: string, { find, replace }: Change): string => {
  if (source.split(find).length !== 2) throw new Error(`the workflow's source must contain exactly once: ${find}`)
  return source.replace(find, () => replace)
}

/** Computes the key of the current workflow sources. Equal keys and changes produce equal bundles. */
const computeSourcesKey = async (): Promise<string> => {
  const hash = createHash('sha256')
  const entries = await readdir(join(root, 'workflows'), { recursive: true })
  const workflows = entries.filter((name) => name.endsWith('.ts')).map((name) => join('workflows', name))
  for (const file of [...workflows.sort(), 'workers/bundle.ts', 'package-lock.json'])
    hash.update(`${file}\0`).update(await readFile(join(root, file)))
  return hash.digest('hex')
}

/** Bundles the current workflows with changes to one file, unless the bundle exists. Returns its path. */
export const buildWith = async (changes: Change[], file = 'chat/turn.ts'): Promise<string> => {
  const variant = createHash('sha256').update(JSON.stringify([await computeSourcesKey(), changes, file]))
  const bundle = join(root, 'dist', 'variants', `${variant.digest('hex')}.js`)
  if (existsSync(bundle)) return bundle
  await mkdir(dirname(bundle), { recursive: true })
  // Packages are resolved from a folder inside the root.
  const copy = await mkdtemp(join(root, 'dist', 'variants', 'draft-'))
  try {
    const workflows = join(copy, 'workflows')
    await cp(join(root, 'workflows'), workflows, { recursive: true })
    const changedFile = join(workflows, file)
    await writeFile(changedFile, changes.reduce(applyChange, await readFile(changedFile, 'utf8')))
    const draft = join(copy, 'bundle.js')
    await writeFile(draft, await bundleWorkflows(join(workflows, 'index.ts')))
    await rename(draft, bundle)
    return bundle
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const batchLoop = 'for (let compacted = false; ;) {'
const insertAtBatch = (code: string): Change => ({ find: batchLoop, replace: `${batchLoop}\n${code}` })
const addImports = (names: string): Change => ({
  find: '  proxyActivities,\n',
  replace: `  proxyActivities,\n${names}`,
})

/** Adds a timer at the start of each batch. Histories of this code do not replay on other code, nor the reverse. */
export const unguarded: Change[] = [insertAtBatch("await sleep('1ms')")]

/** Adds the timer behind a patch. Histories of older code replay on this code, but not the reverse. */
export const guarded: Change[] = [addImports('  patched,\n'), insertAtBatch("if (patched('pause')) await sleep('1ms')")]

/** Adds a call of an activity that no worker has at the start of each batch. */
export const withUnknownActivity: Change[] = [
  insertAtBatch(
    "await (proxyActivities({ startToCloseTimeout: '10s' }) as Record<string, () => Promise<void>>)['prepareStep']?.()",
  ),
]

/** Changes of a worker's sources, by file. */
export type SourceChanges = Record<string, Change[]>

/** Bundles the current worker with changes to its sources into a new folder. Returns the path of the bundle. */
export const buildWorkerWith = async (changes: SourceChanges): Promise<string> => {
  const { build } = await import('esbuild')
  // Packages are resolved from a folder inside the root.
  const outdir = await mkdtemp(join(root, 'dist', 'worker-'))
  const unused = new Set(Object.keys(changes))
  await build({
    ...nodeBundle,
    entryPoints: { worker: join(root, 'workers/main.ts'), 'workflow-thread': workflowThread },
    outdir,
    plugins: [
      temporalSdk,
      {
        name: 'changes',
        setup: (builder) =>
          builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const file = relative(root, path)
            const fileChanges = changes[file]
            if (fileChanges === undefined) return undefined
            unused.delete(file)
            return { loader: 'ts', contents: fileChanges.reduce(applyChange, await readFile(path, 'utf8')) }
          }),
      },
    ],
  })
  if (unused.size > 0) throw new Error(`not among the worker's sources: ${[...unused].join(', ')}`)
  await cp(join(root, 'db/migrations'), join(outdir, 'migrations'), { recursive: true })
  return join(outdir, 'worker.js')
}
