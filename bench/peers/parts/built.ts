import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { pathInBench } from '../../processes/child-process.ts'

/** Folder of the built apps. The benchmark runs production builds, as users of the peers would deploy them. */
const distFolder = pathInBench('peers/dist')

export function appPath(name: string): string {
  return join(distFolder, name)
}

/** Returns the path of a file in the packages that only the peers use. */
export function packagePath(path: string): string {
  return pathInBench(`peers/node_modules/${path}`)
}

/** Compiles `server.ts` of an app. Its packages are not bundled. */
export async function buildServer(name: string): Promise<void> {
  await build({
    entryPoints: [pathInBench(`peers/apps/${name}/server.ts`)],
    outfile: join(distFolder, name, 'server.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  })
}

/** Copies an app that a tool of its framework builds or runs. Returns the path of the copy. */
export async function copyApp(name: string): Promise<string> {
  await mkdir(distFolder, { recursive: true })
  await cp(pathInBench(`peers/apps/${name}`), join(distFolder, name), { recursive: true })
  return join(distFolder, name)
}

export async function removeBuiltApps(): Promise<void> {
  await rm(distFolder, { recursive: true, force: true })
}
