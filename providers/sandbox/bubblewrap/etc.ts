import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { homeDirectory } from './args.ts'
import { readTrustedCertificates, type Entry } from './etc-certificates.ts'

/** Entries by their path below /etc. */
type Entries = Map<string, Entry>

// Files that are the same on every machine. They contain no host name and no users.
const fixedFiles = {
  passwd: `root:x:0:0:root:/:/usr/sbin/nologin\nagent:x:1000:1000:agent:${homeDirectory}:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`,
  group: 'root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n',
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'ssl/openssl.cnf': `[req]
distinguished_name = req_distinguished_name
x509_extensions = v3_ca
[req_distinguished_name]
countryName = Country Name (2 letter code)
organizationName = Organization Name
commonName = Common Name
[v3_ca]
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always,issuer
basicConstraints = critical,CA:true
`,
}

/** Files of the host that programs need to find libraries and file types. They contain no secret and no host name. */
const copiedFiles = ['ld.so.cache', 'ld.so.conf', 'mime.types']

const dayMs = 24 * 60 * 60 * 1000
const hourMs = 60 * 60 * 1000

/**
 * Creates the read-only /etc of the sandboxes of a root from the host's files. Returns a function that returns its path.
 * Workers with the same content share one folder and update its modification time while they run. Folders that were unused
 * for a day, which exceeds the maximum lifetime of a sandbox, are deleted.
 */
export async function createEtc(root: string, host = '/etc'): Promise<() => Promise<string>> {
  const prefix = '.etc-'
  const entries = await listEntries(host)
  const folder = join(root, `${prefix}${hashEntries(entries)}`)
  let markedAt = 0
  const createFolder = async (): Promise<void> => {
    const draft = `${folder}.${randomBytes(6).toString('hex')}`
    await writeEntries(draft, entries)
    // Fails if another worker created the folder first.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  }
  const find = async (): Promise<string> => {
    if (Date.now() - markedAt < hourMs) return folder
    const now = new Date()
    await utimes(folder, now, now).catch(createFolder)
    markedAt = now.getTime()
    return folder
  }
  await find()
  await sweep(root, prefix)
  return find
}

/** Builds the entries of a sandbox's /etc from the files of the host. */
async function listEntries(host: string): Promise<Entries> {
  const entries: Entries = new Map(Object.entries(fixedFiles).map(([path, text]) => [path, { text }]))
  for (const path of [...copiedFiles, ...(await listLibraries(host))]) {
    const text = await undefinedOnError(readFile(join(host, path)))
    if (text !== undefined) entries.set(path, { text })
  }
  for (const group of [
    await listLinks(host, 'alternatives'),
    await timeZone(host),
    await readTrustedCertificates(host),
  ])
    for (const [path, entry] of group) entries.set(path, entry)
  return entries.set('os-release', { link: '../usr/lib/os-release' })
}

async function listLibraries(host: string): Promise<string[]> {
  const names = (await undefinedOnError(readdir(join(host, 'ld.so.conf.d')))) ?? []
  return names.filter((name) => name.endsWith('.conf')).map((name) => `ld.so.conf.d/${name}`)
}

function undefinedOnError<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch(() => undefined)
}

/** Lists the links of a folder to programs and data that sandboxes see, without manuals. */
async function listLinks(host: string, folder: string): Promise<[string, Entry][]> {
  const names = (await undefinedOnError(readdir(join(host, folder)))) ?? []
  const links = await Promise.all(names.map((name) => undefinedOnError(readlink(join(host, folder, name)))))
  return names.flatMap((name, index) => {
    const link = links[index]
    return link?.startsWith('/usr/') === true && !name.endsWith('.gz') ? [[`${folder}/${name}`, { link }]] : []
  })
}

async function timeZone(host: string): Promise<[string, Entry][]> {
  const link = await undefinedOnError(readlink(join(host, 'localtime')))
  if (link?.startsWith('/usr/share/zoneinfo/') === true) return [['localtime', { link }]]
  const text = await undefinedOnError(readFile(join(host, 'localtime')))
  return text === undefined ? [] : [['localtime', { text }]]
}

function hashEntries(entries: Entries): string {
  const hash = createHash('sha256')
  for (const [path, entry] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path}\0`).update('link' in entry ? `link ${entry.link}` : entry.text)
  return hash.digest('hex').slice(0, 24)
}

/** Writes the entries with modes that let the sandbox's user read them, regardless of the umask. */
async function writeEntries(folder: string, entries: Entries): Promise<void> {
  for (const subfolder of listFolders(entries)) {
    await mkdir(join(folder, subfolder))
    await chmod(join(folder, subfolder), 0o755)
  }
  const writeEntry = async ([path, entry]: [string, Entry]): Promise<void> => {
    if ('link' in entry) return symlink(entry.link, join(folder, path))
    await writeFile(join(folder, path), entry.text)
    await chmod(join(folder, path), 0o644)
  }
  await Promise.all([...entries].map(writeEntry))
}

function listFolders(entries: Entries): string[] {
  const folders = new Set(['.'])
  for (const path of entries.keys())
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  return [...folders].sort()
}

async function sweep(root: string, prefix: string): Promise<void> {
  for (const name of (await readdir(root)).filter((entry) => entry.startsWith(prefix))) {
    const used = (await undefinedOnError(stat(join(root, name))))?.mtimeMs ?? Date.now()
    if (Date.now() - used > dayMs) await rm(join(root, name), { recursive: true, force: true })
  }
}
