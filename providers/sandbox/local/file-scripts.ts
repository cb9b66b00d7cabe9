import { fileError, type FileFault } from './file-error.ts'
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

/** Arguments: path, most bytes. */
export const checkReadableScript = `${checkKind}
[ "$(stat -Lc %s -- "$p")" -le "$max" ] || exit ${tooLarge}
`

/** Arguments as above. The content comes on standard output. */
export const streamScript = checkReadableScript + showContent

/** The same, but of a file that is too large comes a byte more than is allowed: asking for its size first costs a program. */
export const readScript = checkKind + showContent

/** Arguments: path and size of each file. The contents come one after another on standard input. */
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

const reasons: Record<number, FileFault> = {
  [absent]: 'absent',
  [folder]: 'folder',
  [special]: 'special',
  [tooLarge]: 'tooLarge',
  [refused]: 'refused',
}

/** Throws what the exit code of one of the scripts means; 0 means success. */
export function checkFileExit(exitCode: number | null, output: string): void {
  if (exitCode === 0) return
  const reason = exitCode === null ? undefined : reasons[exitCode]
  if (reason === undefined) throw new SandboxError(`file access ended with ${exitCode}: ${output.slice(0, 200)}`)
  throw fileError(reason)
}
