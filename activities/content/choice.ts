import { findAccountSnapshot, canReachWorkspace } from '../../db/sandboxes/snapshots.ts'
import { toFolder, selectMedia, findSongsByName } from '../../domain/content/folder.ts'
import { isUrl } from '../../domain/content/request.ts'
import type { ContentRun } from '../../domain/content/runs.ts'
import { CodeHostFileTooLargeError, type RepositoryName } from '../../providers/code-host/index.ts'
import { listSubmodules } from '../../providers/code-host/submodules.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { ContentDeps } from './deps.ts'

type RepositoryFile = { repository: RepositoryName; path: string }
/** Location of an image or a song. */
export type Source = { url: string } | RepositoryFile

/** Thrown if the image or song of a run is missing. The message is shown to the owner of the run. */
export class MissingSourceError extends Error {
  override readonly name = 'MissingSourceError'
}

/** Maximum number of tree entries to inspect. */
const maxEntries = 50_000

type ChoiceDeps = Pick<ContentDeps, 'db' | 'codeHost'>

/** Chooses an image from the request, or from the artist's folder if the request has none. Throws `MissingSourceError`. */
export async function chooseImage(deps: ChoiceDeps, run: ContentRun): Promise<Source> {
  const url = pickByTurn(run.options.images, run.turn)
  if (url !== undefined) return { url }
  const { media, folder } = await listFolderMedia(deps, run)
  const image = pickByTurn(
    toSources(media, ({ images }) => images),
    run.turn,
  )
  if (image === undefined)
    throw new MissingSourceError(`There is no image in the folder ${folder} of the source repository.`)
  return image
}

/** Chooses a song from the request, or from the artist's folder if the request has none. Throws `MissingSourceError`. */
export async function chooseSong(deps: ChoiceDeps, { options: { songs }, ...run }: ContentRun): Promise<Source> {
  const urlSources = songs.filter(isUrl).map((url) => ({ url }))
  const names = songs.filter((name) => !isUrl(name))
  if (names.length === 0 && urlSources.length > 0) return pickByTurn<Source>(urlSources, run.turn) ?? { url: '' }
  const { media, folder } = await listFolderMedia(deps, run)
  const files = toSources(media, ({ songs: paths }) => (names.length === 0 ? paths : findSongsByName(paths, names)))
  const song = pickByTurn<Source>([...urlSources, ...files], run.turn)
  if (song !== undefined) return song
  const description = names.length === 0 ? 'no song' : `no song called ${names.join(' or ').slice(0, 200)}`
  throw new MissingSourceError(`There is ${description} in the folder ${folder} of the source repository.`)
}

/** Returns the content of a file in a repository. Throws `ProviderError` if it is missing or larger than `maxBytes`. */
export async function readSource(
  { codeHost }: Pick<ContentDeps, 'codeHost'>,
  { repository, path }: RepositoryFile,
  maxBytes: number,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    const bytes = await codeHost.readFile(repository, path, { maxBytes })
    if (bytes === undefined) throw new ProviderError('not_found', 'the file no longer exists')
    return toStream(bytes)
  } catch (error) {
    if (error instanceof CodeHostFileTooLargeError) throw new ProviderError('invalid', 'the file is too large')
    throw error
  }
}

function pickByTurn<Item>(items: readonly Item[], turn: number): Item | undefined {
  return items[turn % Math.max(1, items.length)]
}

type FolderMedia = { repository: RepositoryName; images: string[]; songs: string[] }

function toSources(media: readonly FolderMedia[], listPaths: (files: FolderMedia) => string[]): RepositoryFile[] {
  return media.flatMap((files) => listPaths(files).map((path) => ({ repository: files.repository, path })))
}

/** Lists the images and songs of the artist's folder in the account's source repository and its submodules. */
async function listFolderMedia(
  { db, codeHost }: ChoiceDeps,
  { accountId, artistName }: Pick<ContentRun, 'accountId' | 'artistName'>,
): Promise<{ folder: string; media: FolderMedia[] }> {
  const folder = toFolder(artistName)
  const url = (await findAccountSnapshot(db, accountId))?.githubRepo ?? null
  const source = url === null ? undefined : codeHost.parseCloneUrl(url)
  if (source === undefined) throw new MissingSourceError('The account has no source repository for an image or a song.')
  const submodules = await listSubmodules(codeHost, source, (target) => canReachWorkspace(db, accountId, target))
  const media = []
  for (const repository of [source, ...submodules.map((submodule) => submodule.repository)]) {
    const { entries } = await codeHost.listTree(repository, { limit: maxEntries })
    const paths = entries.filter(({ type }) => type === 'blob').map(({ path }) => path)
    media.push({ repository, ...selectMedia(paths, folder) })
  }
  return { folder, media }
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
