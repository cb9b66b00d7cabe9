import { posix } from 'node:path'
import { workingDirectory } from './args.ts'

/** Linux refuses a single argument of 128 KiB. */
const longestArgument = 100_000

export type Program = { argv: string[]; script?: string; readsAll?: boolean }

/** A program that runs `command` in `cwd` under bash; `redirect` is shell text that places its output. */
export function shellProgram(command: string, cwd: string | undefined, redirect: string): Program {
  if (command.includes('\0')) throw new TypeError('NUL in a command')
  const folder = posix.resolve(workingDirectory, cwd ?? '.')
  const enter = `${redirect}; cd -- "$1" || exit 1;`
  return Buffer.byteLength(command) <= longestArgument
    ? { argv: ['/bin/sh', '-c', `${enter} exec 5<&-; exec /bin/bash -c "$2"`, 'bash', folder, command] }
    : {
        argv: ['/bin/bash', '-c', `${enter} command=$(cat <&5); exec 5<&-; eval "$command"`, 'bash', folder],
        script: command,
      }
}

/** A fixed script for any shell, with arguments: nothing of the arguments is read as shell text. */
export function scriptProgram(script: string, args: string[]): Program {
  return {
    argv: ['/bin/sh', '-c', `exec 2>&1 5<&-; cd -- ${workingDirectory} || exit 1\n${script}`, 'sh', ...args],
  }
}
