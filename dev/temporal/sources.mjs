// Plain JavaScript, because it runs before the packages are installed.
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { toolEnvironment } from '../processes/tool-environment.mjs'

const folder = path.dirname(fileURLToPath(import.meta.url))

const server = 'go.temporal.io/server'
const scaling = 'go.temporal.io/auto-scaled-workers'

/**
 * Creates reduced copies of the server's modules and returns the `-modfile` that refers to them. They omit cloud archival,
 * cloud workers and Elasticsearch, which a development server does not use and which are a third of the compiled code. The
 * modules are copied because Go does not support overlays of its module cache.
 */
export const makeSources = async (scratch, signal) => {
  const [serverFolder, scalingFolder] = await Promise.all(
    [server, scaling].map((module) => copyModule(module, path.join(scratch, path.basename(module)), signal)),
  )
  for (const archive of ['gcloud', 's3store'])
    replaceSources(path.join(serverFolder, 'common/archiver', archive), () => true, `${archive}.go`)
  const search = path.join(serverFolder, 'common/persistence/visibility/store/elasticsearch/client')
  replaceSources(search, (name) => name === 'aws.go', 'elasticsearch_aws.go')
  const providers = path.join(scalingFolder, 'wci/workflow/compute_provider')
  replaceSources(providers, (name) => /^(aws.*|gcp_cloudrun|k8s)\.go$/.test(name))
  const modules = path.join(scratch, 'go.mod')
  const replacements = `\nreplace ${server} => ${serverFolder}\n\nreplace ${scaling} => ${scalingFolder}\n`
  writeFileSync(modules, readFileSync(path.join(folder, 'go.mod'), 'utf8') + replacements)
  copyFileSync(path.join(folder, 'go.sum'), path.join(scratch, 'go.sum'))
  return modules
}

const replaceSources = (directory, isOmitted, replacement) => {
  const omitted = readdirSync(directory).filter((name) => name.endsWith('.go') && isOmitted(name))
  if (omitted.length === 0) throw new Error(`no files to omit in ${directory}`)
  for (const name of omitted) rmSync(path.join(directory, name))
  if (replacement !== undefined)
    copyFileSync(path.join(folder, 'left-out', replacement), path.join(directory, replacement))
}

const copyModule = async (module, target, signal) => {
  copyFolder(await findModule(module, signal), target)
  return target
}

/** Copies a folder and makes it writable, unlike Go's cache. */
const copyFolder = (from, to) => {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [from, to].map((parent) => path.join(parent, entry.name))
    if (entry.isDirectory()) copyFolder(source, copy)
    else if (!entry.name.endsWith('_test.go')) copyFileSync(source, copy)
  }
}

/** Returns the folder of a module. Downloads the module if necessary. */
const findModule = (module, signal) =>
  new Promise((resolve, reject) => {
    const child = spawn('go', ['mod', 'download', '-json', module], {
      cwd: folder,
      env: toolEnvironment({ GOFLAGS: '-mod=readonly' }),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    let output = ''
    let errorOutput = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (errorOutput += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(output).Dir)
      else reject(new Error(`go mod download ${module} failed: ${errorOutput || output}`))
    })
  })
