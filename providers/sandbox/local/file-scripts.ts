import { fileError, type FileErrorCode } from './file-error.ts'
import { SandboxError } from '../index.ts'

const absent = 20
const folder = 21
const special = 22
const tooLarge = 23
const refused = 24

const checkKind = `
p=$1 max=$2
[ -e "$p" ] || exit ${absent}
[ -d "$p" ] && exit ${folder}
[ -f "$p" ] || exit ${special}
[ -r "$p" ] || exit ${refused}
`

const showContent = `
exec head -c "$((max + 1))" -- "$p"
`

/** Checks that a file is readable and within the limit. Arguments: path, maximum bytes. */
export const checkReadableScript = `${checkKind}
[ "$(stat -Lc %s -- "$p")" -le "$max" ] || exit ${tooLarge}
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
  [ -d "$p" ] && exit ${folder}
  [ -e "$p" ] && [ ! -f "$p" ] && exit ${special}
  mkdir -p -- "$(dirname -- "$p")" 2>/dev/null || exit ${refused}
  { head -c "$size" > "$p"; } 2>/dev/null || exit ${refused}
done
`

const reasons: Record<number, FileErrorCode> = {
  [absent]: 'absent',
  [folder]: 'folder',
  [special]: 'special',
  [tooLarge]: 'tooLarge',
  [refused]: 'refused',
}

/** Throws the error for the exit code of a file script. Does nothing for 0. */
export function checkFileExit(exitCode: number | null, output: string): void {
  if (exitCode === 0) return
  const reason = exitCode === null ? undefined : reasons[exitCode]
  if (reason === undefined) throw new SandboxError(`file access ended with ${exitCode}: ${output.slice(0, 200)}`)
  throw fileError(reason)
}
