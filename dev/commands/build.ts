import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBundle } from '../node-bundle.ts'
import { print } from '../say.ts'
import { workflowThread } from '../bundle-plugins.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const dist = join(root, 'dist')
const workflowBundle = join(dist, 'workflows.js')
const layers = [
  'api',
  'web/site',
  'web/reference',
  'workers',
  'workflows',
  'activities',
  'providers',
  'db',
  'domain',
  'engine',
  'config',
]
const processSources = [...layers, 'config.ts', 'lifetime.ts', 'stack-trace.ts', 'waiting.ts']
const consoleSources = ['web/console', 'client', 'domain/pages/mark.ts', 'dev/console-bundle.ts']
/** Sources of the build that `npm run dev` watches. */
export const sources = [...processSources, 'web/console', 'client']
const texts = ['content']
const commands = [
  'dev/commands/migrate.ts',
  'dev/commands/container-grant.ts',
  'dev/commands/container-key.ts',
  'dev/stack/granting.ts',
  'dev/stack/migrating.ts',
  'dev/stack/with-database.ts',
  'dev/say.ts',
]
/** Folders that the processes read, by their path in `dist/`. */
const copies = {
  children: 'providers/sandbox/children',
  migrations: 'db/migrations',
  content: 'content',
  'web/site': 'web/site',
  'web/reference': 'web/reference',
  'default-skills': 'activities/skills/default-skills',
}
/** Sources of each build output. */
const outputSources = {
  processes: [...processSources, ...commands, ...texts],
  workflows: ['workflows', 'domain', 'workers/bundle.ts'],
  console: consoleSources,
} as const
type OutputName = keyof typeof outputSources
const buildInputs = [
  'dev/commands/build.ts',
  'dev/node-bundle.ts',
  'dev/bundle-plugins.ts',
  'patches',
  'package-lock.json',
]

/**
 * Removes comments and the sources in the source map, which are two thirds of the bundle, and escapes non-ASCII characters.
 * A worker keeps the bundle in memory in two threads, and a single non-ASCII character would double its size.
 */
async function compact(code: string): Promise<string> {
  const { transform } = await import('esbuild')
  const options = { minifyWhitespace: true, charset: 'ascii', sourcemap: 'inline', sourcesContent: false } as const
  return (await transform(code, options)).code
}

/** Builds the workflow bundle and returns its path. */
export async function buildWorkflows(): Promise<string> {
  await buildUnlessCurrent('workflows', async () => {
    const { bundleWorkflows } = await import('../../workers/bundle.ts')
    // Renames the bundle into place, so that a worker that starts during a build reads either the old or the new bundle.
    const draft = `${workflowBundle}.${process.pid}`
    await writeFile(draft, await compact(await bundleWorkflows()))
    await rename(draft, workflowBundle)
  })
  return workflowBundle
}

export type BuildOutput = { server: string; worker: string; workflowBundle: string }

export const built: BuildOutput = { server: join(dist, 'server.js'), worker: join(dist, 'worker.js'), workflowBundle }

/** Builds all outputs in `dist/`. Skips outputs that are up to date. */
export async function build(): Promise<BuildOutput> {
  await Promise.all([buildProcesses(), buildWorkflows(), buildConsole()])
  return built
}

/** Returns whether `dist/` is up to date with the sources. */
export async function isBuilt(): Promise<boolean> {
  const current = await Promise.all((Object.keys(outputSources) as OutputName[]).map(isCurrent))
  return current.every(Boolean)
}

export async function main(): Promise<void> {
  await build()
  print('Built dist/.')
}

/**
 * Runs `work` unless its output is up to date. Writes the hash of the sources last, so that an interrupted build is
 * repeated.
 */
async function buildUnlessCurrent(name: OutputName, work: () => Promise<void>): Promise<void> {
  const hash = await hashFiles(outputSources[name])
  if ((await readHash(name)) === hash) return
  await rm(hashPath(name), { force: true })
  await mkdir(dist, { recursive: true })
  await work()
  await writeFile(hashPath(name), hash)
}

async function isCurrent(name: OutputName): Promise<boolean> {
  return (await readHash(name)) === (await hashFiles(outputSources[name]))
}

function hashPath(name: OutputName): string {
  return join(dist, `${name}.hash`)
}

function readHash(name: OutputName): Promise<string> {
  return readFile(hashPath(name), 'utf8').catch(() => '')
}

async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await listFiles([...paths, ...buildInputs]))
    hash.update(`${file}\0`).update(await readFile(join(root, file)))
  return hash.digest('hex')
}

async function listFiles(paths: string[]): Promise<string[]> {
  const files = await Promise.all(
    paths.map(async (path) => {
      if (!(await stat(join(root, path))).isDirectory()) return [path]
      const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    }),
  )
  return files.flat().sort()
}

function buildConsole(): Promise<void> {
  return buildUnlessCurrent('console', async () => {
    const { bundleConsole } = await import('../console-bundle.ts')
    await bundleConsole(join(root, 'web/console'), join(dist, 'console'))
  })
}

function buildProcesses(): Promise<void> {
  return buildUnlessCurrent('processes', async () => {
    const esbuild = await import('esbuild')
    await esbuild.build({
      entryPoints: {
        server: join(root, 'api/main.ts'),
        worker: join(root, 'workers/main.ts'),
        'workflow-thread': workflowThread,
        'render-thread': join(root, 'api/rendering/thread.ts'),
        'connector-thread': join(root, 'api/connectors/check/thread.ts'),
        migrate: join(root, 'dev/commands/migrate.ts'),
        grant: join(root, 'dev/commands/container-grant.ts'),
        key: join(root, 'dev/commands/container-key.ts'),
        'render-program': join(root, 'providers/render/embedded/program.ts'),
      },
      ...nodeBundle,
      outdir: dist,
      sourcemap: true,
      // The sources would be half of each source map and are never displayed.
      sourcesContent: false,
    })
    // The code finds these files and programs next to the bundle, as it finds them next to its source.
    for (const [target, source] of Object.entries(copies)) {
      await rm(join(dist, target), { recursive: true, force: true })
      await cp(join(root, source), join(dist, target), { recursive: true })
    }
  })
}
