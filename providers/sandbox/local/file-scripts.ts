import { fileError, type FileErrorCode } from './file-error.ts'
import { SandboxError } from '../index.ts'

const absentCode = 20
const folderCode = 21
const specialCode = 22
const tooLargeCode = 23
const refusedCode = 24

const checkKind = `
p=$1 max=$2
[ -e "$p" ] || exit ${absentCode}
[ -d "$p" ] && exit ${folderCode}
[ -f "$p" ] || exit ${specialCode}
[ -r "$p" ] || exit ${refusedCode}
`

const showContent = `
exec head -c "$((max + 1))" -- "$p"
`

/** Checks that a file is readable and within the limit. Arguments: path, maximum bytes. */
export const checkReadableScript = `${checkKind}
[ "$(stat -Lc %s -- "$p")" -le "$max" ] || exit ${tooLargeCode}
`

/** Like `checkReadableScript`, and writes the content to standard output. */
export const streamScript = checkReadableScript + showContent

/** Like `streamScript`, but prints one byte above the limit instead of checking the size, which saves starting a program. */
export const readScript = checkKind + showContent

/** Writes files from their concatenated contents on standard input. Arguments: path and size of each file. */
export const writeScript = `
while [ $# -gt 0 ]; do
  p=$1 size=$2
  shift 2
  [ -d "$p" ] && exit ${folderCode}
  [ -e "$p" ] && [ ! -f "$p" ] && exit ${specialCode}
  mkdir -p -- "$(dirname -- "$p")" 2>/dev/null || exit ${refusedCode}
  { head -c "$size" > "$p"; } 2>/dev/null || exit ${refusedCode}
done
`

const reasons: Record<number, FileErrorCode> = {
  [absentCode]: 'absent',
  [folderCode]: 'folder',
  [specialCode]: 'special',
  [tooLargeCode]: 'tooLarge',
  [refusedCode]: 'refused',
}

/** Throws the error for the exit code of a file script. Does nothing for 0. */
export function checkFileExit(exitCode: number | null, output: string): void {
  if (exitCode === 0) return
  const reason = exitCode === null ? undefined : reasons[exitCode]
  if (reason === undefined) throw new SandboxError(`the file script exited with ${exitCode}: ${output.slice(0, 200)}`)
  throw fileError(reason)
}
