type Entry = { path: string; type: 'blob' | 'tree' | 'commit'; size?: number | undefined }

/** Lists the direct entries of a folder, with folders first. An empty path is the root. */
export function listChildren(entries: readonly Entry[], folder: string): (Entry & { name: string })[] {
  const prefix = folder === '' ? '' : `${folder}/`
  const children = entries.flatMap((entry) => {
    const name = entry.path.slice(prefix.length)
    return entry.path.startsWith(prefix) && name !== '' && !name.includes('/') ? { ...entry, name } : []
  })
  return [...children.filter(({ type }) => type !== 'blob'), ...children.filter(({ type }) => type === 'blob')]
}
