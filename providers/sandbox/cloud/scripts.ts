import { maxReceiptOutput } from '../index.ts'

const own = 'own=$HOME/.backline'

/** Kills all processes of a command, which have the id of the command in their environment. */
const killAll = `
kill_all() {
  local pids tries
  for tries in 1 2 3 4 5; do
    pids=$(grep -lsz "^BACKLINE_COMMAND=$id\\$" /proc/[0-9]*/environ | cut -d/ -f3)
    [ -n "$pids" ] || return 0
    kill -KILL $pids
  done
}`

const identity = `
export GIT_AUTHOR_NAME=$(cat "$own/name") GIT_AUTHOR_EMAIL=$(cat "$own/email") GIT_TERMINAL_PROMPT=0
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL`

const enter = `cd -- "$1" || exit 1; [ -z "$2" ] || exec bash "$2"; exec bash -c "$3"`

/**
 * Runs a command under limits that apply even after the worker was killed.
 * Arguments: id, folder, seconds, bytes of output, receipt, file of the input, file of the command, command, NAME=value...
 * Writes `<exit code> <truncated> <timed out>` to standard error. The output is a few bytes longer than the limit, so that
 * the last character is complete.
 */
export const execScript = `
exec 9>&2 2>/dev/null
id=$1 folder=$2 seconds=$3 max=$4 receipt=$5 input=$6 file=$7 command=$8
shift 8
${own}
${killAll}
mkdir -p "$own/receipts" "$own/running"
kept=$own/receipts/$receipt
if [ -n "$receipt" ] && [ -e "$kept.status" ]; then cat "$kept.out"; cat "$kept.status" >&9; exit 0; fi
work=$own/running/$id
[ -e "$work.cancelled" ] && exit 0
# A request that a vendor delivers twice runs once.
( set -o noclobber; : > "$work.begun" ) || exit 0
mkdir "$work" && mkfifo "$work/ended" || exit 1
exec 8<>"$work/ended"
echo $$ > "$work/runner"
${identity}
( read -r -t "$seconds" -u 8 || { : > "$work/timedOut"; kill_all; } ) &
{
  env "$@" BACKLINE_COMMAND="$id" setsid --wait bash -c '${enter}' bash "$folder" "$file" "$command" \\
    < "\${input:-/dev/null}" 2>&1 8>&- 9>&-
  echo $? > "$work/code"
  echo >&8
  kill_all
} | {
  stdbuf -o0 head -c "$((max + 4))" | tee "$work/out"
  [ "$(stat -c %s "$work/out")" -le "$max" ] || kill_all
}
truncated=0 timed_out=0
[ "$(stat -c %s "$work/out")" -le "$max" ] || truncated=1
[ ! -e "$work/timedOut" ] || timed_out=1
wait
find "$own/running" -maxdepth 1 -type f -mmin +60 -delete
status="$(cat "$work/code") $truncated $timed_out"
if [ -n "$receipt" ]; then
  head -c ${maxReceiptOutput} "$work/out" > "$kept.out"
  printf '%s' "$status" > "$work/status" && mv "$work/status" "$kept.status"
fi
rm -rf "$work"
printf '%s' "$status" >&9
`

/** Kills the command of this id, even if it has not started yet. Returns when it has ended. */
export const cancelScript = `
exec 2>/dev/null
id=$1
${own}
${killAll}
mkdir -p "$own/running"
: > "$own/running/$id.cancelled"
for tries in {1..50}; do
  kill_all
  kill -0 "$(cat "$own/running/$id/runner")" || [ "$tries" -lt 5 ] || break
  sleep 0.1
done
`

/** Starts a detached command. Arguments: id, folder, seconds to watch, command file, command, NAME=value... Output: its log. */
export const detachScript = `
exec 9>&2 2>/dev/null
id=$1 folder=$2 seconds=$3 file=$4 command=$5
shift 5
${own}
${identity}
logs=$HOME/.commands
mkdir -p "$logs"
env "$@" setsid bash -c '( ${enter} ); echo $? > "$4"' bash "$folder" "$file" "$command" "$logs/$id.code" \\
  > "$logs/$id.log" 2>&1 < /dev/null 9>&- &
end=$(( $(date +%s%3N) + seconds * 1000 ))
while [ ! -s "$logs/$id.code" ] && [ "$(date +%s%3N)" -lt "$end" ]; do sleep 0.05; done
head -c 10000 "$logs/$id.log"
cat "$logs/$id.code" >&9
`

/** Prints the source of the sandbox: repository, branch and commit, one per line. Exit code 3: the setup is not finished. */
export const readSourceScript = `
${own}
[ -e "$own/ready" ] || { echo 3 >&2; exit; }
cat "$own/ready"
echo 0 >&2
`

/**
 * Sets up a new machine once, even if called concurrently. The machine gets a clone from a bundle, a restored clone updated
 * from a bundle, or an empty folder. A restored machine contains the name of another machine.
 * Arguments: working directory, name, email, machine, bundle or an empty string, branch, repository. Output: as
 * `readSourceScript`.
 */
export const fillScript = `
exec 9>&2 2>&1
folder=$1 name=$2 email=$3 machine=$4 bundle=$5 branch=$6 repository=$7
${own}
is_done() {
  [ -e "$own/ready" ] || return
  [ -n "$bundle" ] && [ "$(sed -n 4p "$own/ready")" != "$machine" ] && return 1
  return 0
}
check_out() {
  [ -e "$own/ready" ] || {
    mkdir -p "$folder" && find "$folder" -mindepth 1 -delete &&
    git clone --quiet --branch "$branch" --end-of-options "$bundle" "$folder"
    return
  }
  git -C "$folder" fetch --quiet --end-of-options "$bundle" '+refs/heads/*:refs/remotes/origin/*' &&
  git -C "$folder" checkout --quiet --force -B "$branch" "refs/remotes/origin/$branch" || return
  git -C "$folder" for-each-ref --format='%(refname:short)' refs/heads | grep -vxF -e "$branch" |
    xargs -r git -C "$folder" branch --quiet -D --end-of-options
}
fill() {
  is_done && return
  : > "$own/draft"
  if [ -n "$bundle" ]; then
    check_out || return
    git -C "$folder" remote set-url --end-of-options origin "$repository" || return
    commit=$(git -C "$folder" rev-parse HEAD) || return
    printf '%s\\n' "$repository" "$branch" "$commit" "$machine" > "$own/draft"
  else
    mkdir -p "$folder" && find "$folder" -mindepth 1 -delete || return
  fi
  mv "$own/draft" "$own/ready"
}
mkdir -p "$own"
printf '%s' "$name" > "$own/name"
printf '%s' "$email" > "$own/email"
exec 7> "$own/lock"
! command -v flock > /dev/null || flock 7
fill
code=$?
[ "$code" -ne 0 ] || cat "$own/ready"
[ -z "$bundle" ] || rm -f "$bundle"
printf '%s' "$code" >&9
`

/**
 * Writes a chunk to a file at an offset, so that a request that the vendor delivers twice has the same result.
 * Arguments: chunk, file, offset.
 */
export const writeChunkScript = `
dd if="$1" of="$2" bs=1M oflag=seek_bytes seek="$3" conv=notrunc status=none 2>/dev/null
echo $? >&2
`

/** Deletes a receipt. Arguments: receipt. */
export const dropReceiptScript = `
${own}
rm -f "$own/receipts/$1.out" "$own/receipts/$1.status"
`

/** Prints the output and the status of a receipt. Arguments: receipt. */
export const receiptScript = `
${own}
[ -e "$own/receipts/$1.status" ] || exit
cat "$own/receipts/$1.out"
cat "$own/receipts/$1.status" >&2
`
