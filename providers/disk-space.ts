import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Space of a file system. Those without a fixed number of files report 0. */
export type FileSystem = { totalBytes: number; freeBytes: number; totalFiles: number; freeFiles: number }
export type ProbeDisk = (folder: string) => Promise<FileSystem>

/** Reserve of a disk: free space that is kept for essential writes, above all those of the database. */
export type DiskSpace = {
  readonly reserveBytes: number
  /** Free bytes above the reserve, which may be written. */
  room(): Promise<number>
  freeBytes(): Promise<number>
}

const mebibyte = 1024 * 1024
const defaultReserve = { share: 0.05, minBytes: 1024 * mebibyte, maxBytes: 10_240 * mebibyte }
const reserveFiles = 20_000

/** True when the free space is below the reserve. */
export function isScarce({ freeBytes, totalFiles, freeFiles }: FileSystem, reserveBytes: number): boolean {
  return freeBytes < reserveBytes || (totalFiles > 0 && freeFiles < reserveFiles)
}

/** Reads the file system of a folder, or of its nearest existing parent. */
export const probeDisk: ProbeDisk = async (folder) => {
  try {
    const { bsize, blocks, bavail, files, ffree } = await statfs(folder)
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize, totalFiles: files, freeFiles: ffree }
  } catch (error) {
    const above = dirname(resolve(folder))
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === resolve(folder)) throw error
    return probeDisk(above)
  }
}

/** Default of `reserveBytes`: a twentieth of the disk, at least 1 GiB and at most 10 GiB. */
export async function openDiskSpace(options: {
  folder: string
  reserveBytes?: number | undefined
  probe?: ProbeDisk | undefined
}): Promise<DiskSpace> {
  const look = (): Promise<FileSystem> => (options.probe ?? probeDisk)(options.folder)
  const reserveBytes = options.reserveBytes ?? computeReserve(await look())
  return {
    reserveBytes,
    room: async () => {
      const found = await look()
      return isScarce(found, reserveBytes) ? 0 : found.freeBytes - reserveBytes
    },
    freeBytes: async () => (await look()).freeBytes,
  }
}

function computeReserve({ totalBytes }: FileSystem): number {
  const { share, minBytes, maxBytes } = defaultReserve
  return Math.min(maxBytes, Math.max(minBytes, Math.floor(totalBytes * share)))
}
