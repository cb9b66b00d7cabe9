import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

const packages = fileURLToPath(new URL('../node_modules/@temporalio/', import.meta.url))

/** Entry point of the threads in which the Temporal SDK runs workflows. The build must name it `workflow-thread`. */
export const workflowThread = `${packages}worker/lib/workflow/workflow-worker-thread.js`
const threadFile = './workflow-thread.js'

/**
 * Packages with which the Temporal SDK compiles workflows. It imports them when it starts, but `dist/` contains compiled
 * workflows.
 */
const compilers = /^(@swc\/core|memfs|source-map-loader|swc-loader|unionfs|webpack)$/

/** Replacements in the SDK's code, which locates files relative to itself. `find`: a text that `file` contains once. */
const replacements: { file: RegExp; find: string; replace: string }[] = [
  {
    file: /core-bridge\/common\.js$/,
    find: '__dirname',
    replace: "path.dirname(require.resolve('@temporalio/core-bridge/package.json'))",
  },
  {
    file: /worker\/lib\/workflow\/threaded-vm\.js$/,
    find: "require.resolve('./workflow-worker-thread')",
    replace: `require.resolve('${threadFile}')`,
  },
  // Only the compiler of workflows reads this path.
  {
    file: /worker\/lib\/workflow\/bundler\.js$/,
    find: "require.resolve('../workflow-log-interceptor')",
    replace: "''",
  },
]

/**
 * Bundles the Temporal SDK without its compilers and its debugger. Its six hundred files took a quarter of the start time
 * of a worker.
 */
export const temporalSdk: Plugin = {
  name: 'temporal-sdk',
  setup: (build) => {
    build.onResolve({ filter: compilers }, ({ path }) => ({ path, namespace: 'empty' }))
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }))
    build.onLoad({ filter: /@temporalio\/worker\/lib\/debug-replayer\/index\.js$/ }, () => ({ contents: '' }))
    build.onResolve({ filter: /^\.\/workflow-thread\.js$|^@temporalio\/core-bridge\/package\.json$/ }, ({ path }) => ({
      path,
      external: true,
    }))
    for (const { file, find, replace } of replacements)
      build.onLoad({ filter: file }, async ({ path }) => {
        const code = await readFile(path, 'utf8')
        if (code.split(find).length !== 2) throw new Error(`${path} must contain exactly once: ${find}`)
        return { contents: code.replace(find, () => replace) }
      })
  },
}

/**
 * Escapes non-ASCII characters in the sources, because esbuild does not escape those of regular expressions. With one of them,
 * Node stores the whole file of the build with two bytes per character.
 */
export const asciiSources: Plugin = {
  name: 'ascii-sources',
  setup: (build) =>
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      const contents = code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      return contents === code ? undefined : { contents, loader: path.endsWith('ts') ? 'ts' : 'js' }
    }),
}
