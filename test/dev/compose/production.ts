import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../docs/pages.ts'

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean }> }

const run = (file: string, args: string[], cwd: string): void => {
  const { PATH, HOME } = process.env
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd,
    env: { PATH, HOME, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}

/** Links the packages of this checkout except those that `npm ci --omit=dev` would omit. */
const omitDevelopmentPackages = (folder: string): void => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock
  const recordPath = join(folder, 'node_modules/.package-lock.json')
  const record = JSON.parse(readFileSync(recordPath, 'utf8')) as Lock
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (dev !== true && devOptional !== true) continue
    rmSync(join(folder, path), { recursive: true, force: true })
    Reflect.deleteProperty(record.packages, path)
  }
  // The file is a hard link to the file of the checkout, so it is replaced instead of changed.
  rmSync(recordPath)
  writeFileSync(recordPath, JSON.stringify(record))
}

/**
 * Builds the content of /app as the Dockerfile does: from the files that .dockerignore does not exclude, with
 * NODE_ENV=production and only production packages. `close` removes the folder.
 */
export const buildImageFolder = (): { app: string; close(): void } => {
  // A sibling folder is on the same file system, as hard links require, and outside the packages of the checkout.
  const folder = mkdtempSync(`${root.replace(/\/$/, '')}-image-`)
  const close = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const build = join(folder, 'build')
    const app = join(folder, 'app')
    run('mkdir', [build, app], folder)
    const ignored = new Set(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n'))
    const copied = [...readdirSync(root).filter((name) => !ignored.has(name)), 'node_modules']
    run('cp', ['-al', ...copied.map((name) => join(root, name)), build], folder)
    omitDevelopmentPackages(build)
    run(process.execPath, ['dev/bootstrap.mjs', 'build'], build)
    run(process.execPath, ['dev/bootstrap.mjs', 'runtime-packages', app], build)
    run('mv', [join(build, 'dist'), join(build, 'package.json'), app], folder)
    rmSync(build, { recursive: true })
    return { app, close }
  } catch (error) {
    close()
    throw error
  }
}
