import { posix } from 'node:path'
import { workingDirectory } from './args.ts'

/** Linux limits a single argument to 128 KiB. */
const maxArgumentBytes = 100_000

export type Program = { argv: string[]; script?: string; readsAll?: boolean }

/** Returns a program that runs `command` in `cwd` with bash. `redirect` is shell code that redirects the output. */
export function shellProgram(command: string, cwd: string | undefined, redirect: string): Program {
  if (command.includes('\0')) throw new TypeError('NUL in a command')
  const folder = posix.resolve(workingDirectory, cwd ?? '.')
  const enter = `${redirect}; cd -- "$1" || exit 1;`
  return Buffer.byteLength(command) <= maxArgumentBytes
    ? { argv: ['/bin/sh', '-c', `${enter} exec 5<&-; exec /bin/bash -c "$2"`, 'bash', folder, command] }
    : {
        argv: ['/bin/bash', '-c', `${enter} command=$(cat <&5); exec 5<&-; eval "$command"`, 'bash', folder],
        script: command,
      }
}

/** Returns a program that runs a fixed script in any shell. The arguments are never parsed as shell code. */
export function scriptProgram(script: string, args: string[]): Program {
  return {
    argv: ['/bin/sh', '-c', `exec 2>&1 5<&-; cd -- ${workingDirectory} || exit 1\n${script}`, 'sh', ...args],
  }
}
