const imagePattern = /\.(?:png|jpe?g|webp)$/i
const songPattern = /\.(?:mp3|wav|flac|ogg|aac|m4a)$/i

/** Returns the folder of an artist in a source repository: the name in lower case, with hyphens for spaces. */
export function toFolder(artistName: string): string {
  return artistName.trim().toLowerCase().replaceAll(/\s+/g, '-').replaceAll('/', '-')
}

/** Returns the artist's images and songs among these paths, in order. The folder is in the root or in `artists`. */
export function selectMedia(paths: readonly string[], folder: string): { images: string[]; songs: string[] } {
  const folderPaths = paths
    .filter((path) => path.startsWith(`${folder}/`) || path.startsWith(`artists/${folder}/`))
    .toSorted((a, b) => (a < b ? -1 : 1))
  return {
    images: folderPaths.filter((path) => imagePattern.test(path)),
    songs: folderPaths.filter((path) => songPattern.test(path)),
  }
}

/** Returns the songs with these names: by file name, with or without its extension, or by slug. */
export function findSongsByName(paths: readonly string[], names: readonly string[]): string[] {
  const wantedNames = new Set(names.flatMap((name) => [name.toLowerCase(), toSlug(name)]))
  return paths.filter((path) => {
    const name = baseName(path)
    return [name.toLowerCase(), toStem(name).toLowerCase(), toSlug(toStem(name))].some((form) => wantedNames.has(form))
  })
}

export function baseName(path: string): string {
  return path.split('/').at(-1) ?? ''
}

/** Derives a readable title from a file name. */
export function toTitle(fileName: string): string {
  const words = toStem(fileName)
    .replace(/^\d{1,3}(?:[\s._-]{1,3}|$)/, '')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim()
  if (words === '' || isGeneratedId(toStem(fileName))) return 'Untitled'
  return words === words.toLowerCase() ? words.replaceAll(/(?<![\p{L}\p{N}'’])\p{L}/gu, (l) => l.toUpperCase()) : words
}

function toStem(name: string): string {
  return name.replace(/\.[a-z0-9]{2,4}$/i, '')
}

function toSlug(name: string): string {
  return toStem(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Returns whether the name is a generated id. */
function isGeneratedId(stem: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(stem)
}
