import { cp, mkdir, readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { externalPackages } from './node-bundle.ts'

type LockEntry = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  optional?: boolean
}
type Lock = Readonly<Record<string, LockEntry>>

/** Packages that are copied without their dependencies, which are bundled or not needed. */
const readAtRuntime = ['@fontsource/inter', '@temporalio/core-bridge', 'source-map', 'swagger-ui-dist']
const omittedFiles = /\.(map|[cm]?ts|md)$|\/sdk-core\/|swagger-ui-es-/

/**
 * Copies the packages that `dist/` needs from `node_modules` to `target`: the packages that are not bundled, and their
 * dependencies. Omits sources, source maps, readmes and native code for other platforms.
 */
export async function copyRuntimePackages(root: string, target: string): Promise<void> {
  const lock = (JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages
  for (const folder of listRequired(lock)) {
    const source = join(root, folder)
    await mkdir(dirname(join(target, folder)), { recursive: true })
    await cp(source, join(target, folder), {
      recursive: true,
      filter: (path) => !omittedFiles.test(path) && !isNested(source, path) && !isForeignBinary(path),
    }).catch((error: unknown) => {
      // An optional package for another platform is not installed.
      if (lock[folder]?.optional !== true) throw error
    })
  }
}

/** Lists the folders of the required packages, as in the lock file. */
function listRequired(lock: Lock): Set<string> {
  const required = new Set<string>()
  const add = (folder: string | undefined): void => {
    if (folder === undefined || required.has(folder)) return
    required.add(folder)
    const { dependencies, optionalDependencies } = lock[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) add(findPackage(lock, folder, name))
  }
  const direct = Object.keys(lock['']?.dependencies ?? {})
  for (const name of direct.filter(isExternal)) add(findPackage(lock, '', name))
  for (const name of readAtRuntime) required.add(`node_modules/${name}`)
  return required
}

function isExternal(name: string): boolean {
  return externalPackages.some((pattern) =>
    pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )
}

/** Resolves a package name from the folder of another package, as Node does. */
function findPackage(lock: Lock, from: string, name: string): string | undefined {
  const folder = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (folder in lock) return folder
  if (from === '') return undefined
  return findPackage(lock, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
}

function isNested(source: string, path: string): boolean {
  return path.slice(source.length).split(sep).includes('node_modules')
}

/** Returns whether a path is native code for another platform. Temporal's package contains the code of all platforms. */
function isForeignBinary(path: string): boolean {
  const [, target] = /core-bridge\/releases\/([^/]+)/.exec(path) ?? []
  if (target === undefined) return false
  const processor = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  return !(target.startsWith(processor) && target.includes(process.platform))
}
