import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Space of a file system. A file system without a fixed number of files reports 0 for both file counts. */
export type FileSystem = { totalBytes: number; freeBytes: number; totalFiles: number; freeFiles: number }
export type ProbeDisk = (folder: string) => Promise<FileSystem>

/** Space of a disk with a reserve for essential writes, mainly writes of the database. */
export type DiskSpace = {
  readonly reserveBytes: number
  /** Number of bytes that can be written without using the reserve; 0 if the disk is full. */
  room(): Promise<number>
  freeBytes(): Promise<number>
}

const mebibyte = 1024 * 1024
const defaultReserve = { share: 0.05, minBytes: 1024 * mebibyte, maxBytes: 10_240 * mebibyte }
const reserveFiles = 20_000

/** True if the free space or the number of free files is below the reserve. */
export function isScarce({ freeBytes, totalFiles, freeFiles }: FileSystem, reserveBytes: number): boolean {
  return freeBytes < reserveBytes || (totalFiles > 0 && freeFiles < reserveFiles)
}

/** Reads the file system of a folder, or of its nearest existing parent. */
export const probeDisk: ProbeDisk = async (folder) => {
  try {
    const { bsize, blocks, bavail, files, ffree } = await statfs(folder)
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize, totalFiles: files, freeFiles: ffree }
  } catch (error) {
    const parent = dirname(resolve(folder))
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === resolve(folder)) throw error
    return probeDisk(parent)
  }
}

/** Returns the space of the disk of `folder`. Default of `reserveBytes`: 5% of the disk, at least 1 GiB and at most 10 GiB. */
export async function openDiskSpace(options: {
  folder: string
  reserveBytes?: number | undefined
  probe?: ProbeDisk | undefined
}): Promise<DiskSpace> {
  const probe = (): Promise<FileSystem> => (options.probe ?? probeDisk)(options.folder)
  const reserveBytes = options.reserveBytes ?? computeReserve(await probe())
  return {
    reserveBytes,
    room: async () => {
      const fileSystem = await probe()
      return isScarce(fileSystem, reserveBytes) ? 0 : fileSystem.freeBytes - reserveBytes
    },
    freeBytes: async () => (await probe()).freeBytes,
  }
}

function computeReserve({ totalBytes }: FileSystem): number {
  const { share, minBytes, maxBytes } = defaultReserve
  return Math.min(maxBytes, Math.max(minBytes, Math.floor(totalBytes * share)))
}
