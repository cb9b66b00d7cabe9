import type { Limits } from './args.ts'

/** Limits per process. */
export type ProcessLimits = Pick<Limits, 'dataBytes' | 'fileBytes' | 'openFiles'>

/** Highest descriptor that `runGroup` and `startDetached` pass. */
export const filterDescriptor = 6

/**
 * Builds the script that runs on the host before the agent's program. It closes all descriptors that do not belong to the
 * sandbox, records the process group, enters the memory group and becomes the first candidate of the out-of-memory killer. It
 * mounts the folder where an unprivileged user can reach it, and sets the limits per process. It requires bash, because other
 * shells cannot close descriptors above 9. Standard input must not be a socket: bash would treat it as a remote login and read
 * startup files. The script prefers builtins, because each started program adds a millisecond to every command.
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
