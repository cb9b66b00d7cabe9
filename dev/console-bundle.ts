import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Metafile, OutputFile, Plugin } from 'esbuild'
import { tokens } from '../domain/pages/tokens.ts'

/** What the API needs to know of the files: which ones the page itself names. */
type Manifest = { script: string; style: string; preloads: string[] }

/**
 * The files of the console in `target`: each named by its content, with its brotli and gzip forms beside it, and
 * `manifest.json`. Put into place when all of them are there.
 */
export async function bundleConsole(source: string, target: string): Promise<void> {
  const esbuild = await import('esbuild')
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [join(source, 'main.tsx')],
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    plugins: [sharedTokens, leanSchemas, browserEntities],
    metafile: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  })
  const draft = `${target}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  await Promise.all(outputFiles.map((file) => writePacked(draft, file)))
  await writeFile(join(draft, 'manifest.json'), JSON.stringify(toManifest(metafile)))
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
}

/** Level 9 of brotli takes a tenth of the time of the highest, for a twentieth more bytes. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function writePacked(folder: string, { path, contents }: OutputFile): Promise<void> {
  const name = join(folder, basename(path))
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(contents, brotliOptions),
    promisify(gzip)(contents),
  ])
  await Promise.all([writeFile(name, contents), writeFile(`${name}.br`, brotli), writeFile(`${name}.gz`, zipped)])
}

function toManifest({ outputs }: Metafile): Manifest {
  const entry = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'))
  if (entry === undefined) throw new Error('The bundle of the console has no entry.')
  const [script, { cssBundle = '', imports }] = entry
  const preloads = imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true)
  return {
    script: basename(script),
    style: basename(cssBundle),
    preloads: preloads.map(({ path }) => basename(path)),
  }
}

/** `tokens.css` is what the site's stylesheet begins with. */
const sharedTokens: Plugin = {
  name: 'shared tokens',
  setup(build) {
    build.onResolve({ filter: /^tokens\.css$/ }, ({ path }) => ({ path, namespace: 'tokens' }))
    build.onLoad({ filter: /.*/, namespace: 'tokens' }, () => ({ contents: tokens, loader: 'css' }))
  },
}

/** zod brings its messages in fifty languages, and the AI SDK takes schemas of zod 3, too: the console has neither. */
const leanSchemas: Plugin = {
  name: 'lean schemas',
  setup(build) {
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      importer.includes('/zod/') ? { path: join(dirname(resolveDir), 'locales/en.js'), sideEffects: false } : undefined,
    )
    build.onResolve({ filter: /^zod\/v3$/ }, ({ path }) => ({ path, namespace: 'none' }))
    build.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export const ZodFirstPartyTypeKind = {}' }))
  },
}

/** Browsers know the entities of HTML: the table that the Markdown parser would bring is a tenth of a chat. */
const browserEntities: Plugin = {
  name: 'browser entities',
  setup(build) {
    build.onResolve({ filter: /^entities$/ }, ({ path }) => ({ path, namespace: 'entities' }))
    build.onLoad({ filter: /.*/, namespace: 'entities' }, () => ({
      contents: `const area = document.createElement('textarea')
        export const decodeHTMLStrict = (text) => ((area.innerHTML = text), area.value)`,
    }))
  },
}
