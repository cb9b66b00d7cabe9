import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Metafile, OutputFile, Plugin } from 'esbuild'

/** Files that the console page references. The API reads them from `manifest.json`. */
type Manifest = { script: string; style: string; preloads: string[] }

/**
 * Builds the console into `target`: files named by content hash, each also compressed with brotli and gzip, and
 * `manifest.json`. Renames the complete folder into place.
 */
export async function bundleConsole(source: string, target: string): Promise<void> {
  const esbuild = await import('esbuild')
  const main = join(source, 'main.tsx')
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [main],
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
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    plugins: [themeVariables, onePreload(main), directImports, leanSchemas, browserEntities],
    metafile: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  })
  const draft = `${target}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const manifest = toManifest(metafile)
  // esbuild also writes the style of the page for each file that is loaded on demand.
  const files = outputFiles.filter(({ path }) => !path.endsWith('.css') || basename(path) === manifest.style)
  await Promise.all(files.map((file) => writeCompressed(draft, file)))
  await writeFile(join(draft, 'manifest.json'), JSON.stringify(manifest))
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
}

const require = createRequire(import.meta.url)

/** Brotli level 9 takes a tenth of the time of the highest level, for 5% larger files. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function writeCompressed(folder: string, { path, contents }: OutputFile): Promise<void> {
  const name = join(folder, basename(path))
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(contents, brotliOptions),
    promisify(gzip)(contents, { level: constants.Z_BEST_COMPRESSION }),
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

/** Provides `theme.css` with the theme's variables. Mantine would otherwise inject them, which the page's CSP forbids. */
const themeVariables: Plugin = {
  name: 'theme variables',
  setup(build) {
    build.onResolve({ filter: /^theme\.css$/ }, ({ path }) => ({ path, namespace: 'theme' }))
    build.onLoad({ filter: /.*/, namespace: 'theme' }, async () => {
      const { convertCssVariables } = await import('@mantine/core')
      const { cssVariables } = await import('../web/console/style/variables.ts')
      return { contents: convertCssVariables(cssVariables, ':root'), loader: 'css' }
    })
  },
}

/**
 * Makes each file that is loaded on demand import the main module, which is always loaded before it. Otherwise esbuild splits
 * the main module by the files that use its parts, into dozens of chunks of a few hundred bytes.
 */
const onePreload = (main: string): Plugin => ({
  name: 'one preload',
  setup(build) {
    build.onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import' || resolveDir.includes('/node_modules/')) return undefined
      const { path: file } = await build.resolve(path, { kind: 'import-statement', resolveDir })
      return { path: file, namespace: 'on-demand' }
    })
    build.onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({
      contents: `import ${JSON.stringify(main)}\nexport * from ${JSON.stringify(path)}`,
      resolveDir: dirname(path),
    }))
  },
})

/**
 * Imports each Mantine component from its own file. If a page imports from an index file, esbuild adds every module that
 * the index file exports to the first chunk.
 */
const directImports: Plugin = {
  name: 'direct imports',
  setup(build) {
    const exported = readExports(['@mantine/core', '@mantine/hooks'])
    build.onLoad({ filter: /\.(?:tsx?|mjs)$/ }, async ({ path }) => {
      if (!path.includes('/web/console/') && !path.includes('/node_modules/@mantine/')) return undefined
      const files = await exported
      const contents = (await readFile(path, 'utf8')).replaceAll(
        /import \{([^{}]{1,2000})\} from ['"](@mantine\/(?:core|hooks))['"]/g,
        (_, list: string, from: string) =>
          splitNames(list)
            .map(({ name, local }) => ({ local, ...files.get(`${from} ${name}`) }))
            .map(({ name, local, file }) => `import { ${name} as ${local} } from '${file}'`)
            .join(';'),
      )
      return { contents, loader: path.endsWith('.mjs') ? 'js' : path.endsWith('.tsx') ? 'tsx' : 'ts' }
    })
  },
}

/** Reads the file of each export from the index files of the packages. Keys have the form `package name`. */
async function readExports(packages: string[]): Promise<Map<string, { name: string; file: string }>> {
  const files = new Map<string, { name: string; file: string }>()
  for (const from of packages) {
    const index = join(dirname(require.resolve(from)), '../esm/index.mjs')
    for (const [, list = '', file = ''] of (await readFile(index, 'utf8')).matchAll(
      /import \{([^{}]{1,2000})\} from "([^"]{1,300})"/g,
    ))
      for (const { name, local } of splitNames(list))
        files.set(`${from} ${local}`, { name, file: file.startsWith('.') ? join(dirname(index), file) : file })
  }
  return files
}

/** Parses an import list and omits types. */
const splitNames = (list: string): { name: string; local: string }[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.startsWith('type '))
    .map((entry) => entry.split(' as '))
    .map(([name = '', local = name]) => ({ name, local }))

/**
 * Removes the parts of zod that the console does not use: messages in fifty languages, the zod 3 schemas that the AI SDK
 * also accepts and, by importing zod as a namespace, the schema kinds that the AI SDK does not use.
 */
const leanSchemas: Plugin = {
  name: 'lean schemas',
  setup(build) {
    build.onResolve({ filter: /\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      importer.includes('/zod/') ? { path: join(dirname(resolveDir), 'locales/en.js'), sideEffects: false } : undefined,
    )
    build.onResolve({ filter: /^zod\/v3$/ }, ({ path }) => ({ path, namespace: 'none' }))
    build.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export const ZodFirstPartyTypeKind = {}' }))
    build.onLoad({ filter: /\/node_modules\/ai\/dist\/index\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        /import \{ z(?: as (\w{1,40}))? \} from "zod\/v4"/g,
        (_, name = 'z') => `import * as ${name} from "zod/v4"`,
      ),
    }))
  },
}

/**
 * Decodes HTML entities with the browser, because the entity table of the Markdown parser would be a tenth of the chat
 * bundle.
 */
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
