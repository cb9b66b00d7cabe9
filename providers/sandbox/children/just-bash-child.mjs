// Runs one request of just-bash.ts in a separate process with a heap limit, so that it can be killed. The file is
// JavaScript, because Node.js runs it without the TypeScript loader.
import { posix } from 'node:path'
import { Bash, InMemoryFs, MountableFs, ReadWriteFs } from 'just-bash'
import { closeInheritedDescriptors } from './inherited-descriptors.mjs'
import { fetchThroughProxy } from './just-bash-fetch.mjs'

closeInheritedDescriptors()

const maxFileReadSize = 64 * 1024 * 1024

const openFiles = ({ workspace, home, workingDirectory, homeDirectory }) => {
  const files = new MountableFs({ base: new InMemoryFs() })
  files.mount(workingDirectory, new ReadWriteFs({ root: workspace, maxFileReadSize }))
  files.mount(homeDirectory, new ReadWriteFs({ root: home, maxFileReadSize }))
  return files
}

const decodeText = (text, kind) => (kind === 'bytes' ? Buffer.from(text, 'latin1').toString('utf8') : text)

const exec = async (files, { command, cwd, env, stdin, maxOutputBytes, hasNetwork, places }) => {
  const folder = posix.resolve(places.workingDirectory, cwd ?? '.')
  const isFolder = await files.stat(folder).then(
    (stat) => stat.isDirectory,
    () => false,
  )
  if (!isFolder) return { exitCode: 1, output: `bash: cd: ${folder}: No such file or directory\n` }
  const bash = new Bash({
    fs: files,
    cwd: folder,
    executionLimitProfile: 'hardened',
    defenseInDepth: { enabled: 'auto' },
    ...(hasNetwork && { fetch: fetchThroughProxy }),
  })
  const result = await bash.exec(`exec 2>&1; ${command}`, {
    env: { PATH: '/usr/bin:/bin', HOME: places.homeDirectory, LANG: 'C.UTF-8', USER: 'agent', ...env },
    replaceEnv: true,
    rawScript: true,
    ...(stdin && { stdin: Buffer.from(stdin).toString('latin1'), stdinKind: 'bytes' }),
  })
  const output = decodeText(result.stdout, result.stdoutKind) + decodeText(result.stderr, result.stderrKind)
  // One character above the limit, so that the parent detects truncated output.
  return { exitCode: result.exitCode, output: output.slice(0, maxOutputBytes + 1) }
}

const fileError = (reason) => ({ fileError: reason })

const statEntry = (files, path) => files.lstat(path).catch(() => undefined)

const read = async (files, { path, maxBytes, places }) => {
  const absolutePath = posix.resolve(places.workingDirectory, path)
  const stat = await statEntry(files, absolutePath)
  if (stat === undefined) return fileError('absent')
  if (stat.isDirectory) return fileError('folder')
  if (!stat.isFile) return fileError('special')
  if (stat.size > maxBytes) return fileError('tooLarge')
  return { content: Buffer.from(await files.readFileBuffer(absolutePath)) }
}

const writeEntry = async (files, absolutePath, content) => {
  const stat = await statEntry(files, absolutePath)
  if (stat?.isDirectory) return fileError('folder')
  if (stat !== undefined && !stat.isFile) return fileError('special')
  try {
    await files.mkdir(posix.dirname(absolutePath), { recursive: true })
    await files.writeFile(absolutePath, content)
  } catch {
    return fileError('refused')
  }
  return undefined
}

const write = async (mounted, { files, places }) => {
  for (const { path, content } of files) {
    const error = await writeEntry(mounted, posix.resolve(places.workingDirectory, path), content)
    if (error !== undefined) return error
  }
  return {}
}

const operations = { exec, read, write }

process.once('disconnect', () => process.exit(0))
const execute = async (request) => operations[request.operation](openFiles(request.places), request)

const serve = async (request) => {
  const response = await execute(request).catch((error) => ({ error: String(error?.message ?? error).slice(0, 500) }))
  process.send(response, () => process.exit(0))
}

process.once('message', (request) => void serve(request))
