import type { Limits } from './args.ts'

/** Of one process. */
export type ProcessLimits = Pick<Limits, 'dataBytes' | 'fileBytes' | 'openFiles'>

/** The last of those that `runGroup` and `startDetached` give. */
export const filterDescriptor = 6

/**
 * Runs on the host before anything of the agent does: closes every descriptor that is none of the sandbox's, records the
 * group, enters the memory group, offers itself first to the out-of-memory killer, puts the folder where a user without
 * rights can walk to it, and sets the limits of each process. Bash, because other shells close no descriptor above 9; it
 * takes a socket as its input for a remote login, for which it would read a file of its user's first.
 * Each program that is started here costs a millisecond of every command: what bash does itself it does.
 */
export function prelude(enterGroup: string, limits: ProcessLimits): string {
  return `${enterGroup}
for entry in /proc/self/fd/*; do
  descriptor=\${entry##*/}
  [ "$descriptor" -le ${filterDescriptor} ] || exec {descriptor}>&- || exit 125
done
records=$1 group=$2 folder=$3 etc=$4 niceness=$5 processes=$6
shift 6
read -r state < "/proc/$$/stat" && echo "$state" > "$records/$$" || exit 125
[ -z "$group" ] || enter_group "$group" || exit 125
echo 1000 > /proc/self/oom_score_adj
if [ -n "$folder" ]; then mount --bind "$folder" /mnt || exit 125; fi
if [ -n "$etc" ]; then mount --bind "$etc" /mnt/etc || exit 125; fi
ulimit -c 0 -d ${kibibytes(limits.dataBytes)} -f ${kibibytes(limits.fileBytes)} -l 64 -n ${limits.openFiles} || exit 125
[ -z "$processes" ] || ulimit -u "$processes" || exit 125
fields=($state)
[ -z "$niceness" ] || [ "\${fields[18]}" -ge "$niceness" ] || set -- nice -n 5 "$@"
exec "$@"
`
}

function kibibytes(bytes: number): number {
  return Math.floor(bytes / 1024)
}
