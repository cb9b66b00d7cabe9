import type { DiskLimits } from '../local/disk.ts'

/**
 * Monitors the disk usage of a detached command, independently of the worker that started it. Kills the process group if it
 * exceeds the limit. Arguments: KiB, files, KiB to leave free, workspace, home, program...
 */
const script = `
kib=$1 files=$2 reserve=$3 workspace=$4 home=$5
shift 5
started_at() { cut -d ' ' -f 22 "/proc/$$/stat" 2> /dev/null; }
sum() { du "$@" -- "$workspace" "$home" 2> /dev/null | { total=0; while read -r n _; do total=$((total + n)); done; echo $total; }; }
look() {
  set -- $(stat -f -c '%a %S %d' -- "$home")
  free=$(($1 * ($2 / 512) / 2)) free_files=$3
}
guard() {
  look
  last=$free last_files=$free_files
  while sleep 2 && [ "$(started_at)" = "$started" ]; do
    look
    grown=$((last - free)) grown_files=$((last_files - free_files))
    [ $grown -ge 65536 ] || [ $grown_files -ge 20000 ] || { [ $free -lt $reserve ] && [ $grown -gt 1024 ]; } || continue
    last=$free last_files=$free_files
    if [ $free -lt $reserve ] || [ "$(sum -skx)" -gt "$kib" ] || [ "$(sum -sx --inodes)" -gt "$files" ]; then
      kill -KILL -$$
    fi
  done
}
started=$(started_at)
guard < /dev/null > /dev/null 2>&1 3<&- 5<&- 6<&- &
exec "$@"
`

/** Returns a command line prefix that limits the disk usage of the process group. */
export function buildDiskGuard(
  { diskBytes, diskFiles, reserveBytes }: DiskLimits,
  workspace: string,
  home: string,
): string[] {
  return [
    'sh',
    '-c',
    script,
    'sandbox',
    String(Math.floor(diskBytes / 1024)),
    String(diskFiles),
    String(Math.floor(reserveBytes / 1024)),
    workspace,
    home,
  ]
}
