type FileContent = { content: string; encoding: 'utf-8' | 'base64' }

/** Downloads a file in the browser. The last segment of `path` is the file name. */
export function saveFile(path: string, { content, encoding }: FileContent): void {
  const bytes = encoding === 'utf-8' ? content : Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement('a')
  link.href = url
  link.download = path.split('/').at(-1) ?? path
  link.click()
  URL.revokeObjectURL(url)
}
