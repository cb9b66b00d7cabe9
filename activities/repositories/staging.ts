import { isLeftOutReason, maxLeftOut, type LeftOut } from '../../domain/repositories/left-out.ts'

/**
 * Defines two functions. `stage` adds everything that can be committed to the index of the shadow repository and sets
 * `$tree` to the id of its tree. `left_out` prints the paths that could not be staged, which do not affect other paths:
 * - Files of a nested repository are staged as files. Git descends into the repository once the index has an entry inside
 *   it. A placeholder serves as that entry; it has no file, so `git add` drops it again. A gitlink would name a commit that no
 *   remote has. Submodules that `.gitmodules` registers stay gitlinks.
 * - Content that a code host rejects in its object checks is left out, because every later push would fail.
 * - Objects that the index references but the object store lacks are written again from the files.
 */
export const stagingScript = `
# Git locks references for milliseconds, so an older lock belongs to a git process that was killed.
find "$real/refs/" -name '*.lock' -mmin +1 -delete
changed_names() { git ls-files -z --others --modified --exclude-standard; }
list_large() {
  changed_names | sed -z 's|^|./|' |
    xargs -0 -r sh -c 'find "$@" -maxdepth 0 -type f -size +"$0"c -print0' "$max_file_bytes"
}
note() { printf '%s\\t%s\\0' "$1" "$2" >> "$shadow/left-out"; }
add_all() {
  local name
  large=()
  printf '.\\0' > "$shadow/paths"
  while IFS= read -r -d '' name; do
    large["$name"]=1
    printf ':(exclude,literal)%s\\0' "\${name#./}" >> "$shadow/paths"
  done < <(list_large)
  LC_ALL=C git add --all --ignore-errors --pathspec-from-file="$shadow/paths" --pathspec-file-nul 2> "$shadow/errors"
  [ $? -ge 128 ] || return 0
  # Git stopped at one path, for example at a file whose encoding differs from its declaration in .gitattributes.
  while IFS= read -r -d '' name; do
    [ "\${name: -1}" = / ] || [ -n "\${large["./$name"]}" ] || git add --all --ignore-errors -- ":(literal)$name"
  done < <(git ls-files -z --others --modified --deleted --exclude-standard)
}
list_nested() {
  local name
  git ls-files -z --others --exclude-standard | grep -z '/$' | sed -z 's|/$||'
  git ls-files -z --stage | sed -nz 's/^160000 [^\\t]*\\t//p' | while IFS= read -r -d '' name; do
    [ -n "\${submodules["./$name"]}" ] || [ ! -e "$name/.git" ] || printf '%s\\0' "$name"
  done
}
stage_nested() {
  local name found=no
  while IFS= read -r -d '' name; do
    [ -z "\${entered["./$name"]}" ] || continue
    entered["./$name"]=1 found=yes
    printf '%s\\0' "$name" | git update-index --force-remove -z --stdin
    printf '100644 %s\\t%s/.placeholder-%s\\0' "$placeholder" "$name" "$$" | git update-index -z --index-info
  done < <(list_nested)
  [ $found = yes ]
}
drop_refused() {
  local info name
  while IFS= read -r -d '' info && IFS= read -r -d '' name; do
    case \${name##*/} in .[gG][iI][tT]* | *~[0-9]*) ;; *) continue ;; esac
    set -- $info
    is_accepted "$2" "$4" "\${name##*/}" && continue
    note not-allowed "$name"
    printf '%s\\0' "$name" | git update-index --force-remove -z --stdin
    git ls-tree -z HEAD -- "$name" | git update-index -z --index-info
  done < <(git diff --cached --raw --no-abbrev --no-renames -z --diff-filter=AMT)
}
is_accepted() (
  mkdir -p "$shadow/check"
  tree=$(printf '%s blob %s\\t%s\\0' "$1" "$2" "$3" | git mktree -z) || exit 1
  printf '%s\\n' "$tree" "$2" | git pack-objects --quiet --stdout > "$shadow/check.pack" || exit 1
  GIT_OBJECT_DIRECTORY=$shadow/check git index-pack --strict --stdin < "$shadow/check.pack"
)
# True if the remote of a submodule has all its files and commits, according to the remote-tracking branches.
is_at_remote() (
  git_dir=$work/$1/.git
  [ ! -f "$git_dir" ] || git_dir=$(cd "$work/$1" && cd "$(sed -n 's/^gitdir: //p;q' .git)" && pwd)
  export GIT_DIR=$shadow/submodule GIT_WORK_TREE=$work/$1
  rm -rf "$GIT_DIR"
  link_repository "$git_dir" "$GIT_DIR" && cd "$work/$1" || exit 1
  [ ! -f "$git_dir/index" ] || cp -p "$git_dir/index" "$GIT_DIR/index"
  [ -z "$(git status --porcelain --ignore-submodules=all | head -c 1)" ] &&
    [ -n "$(git for-each-ref --count=1 --contains HEAD refs/remotes)" ]
)
list_left_out() {
  local name
  for name in "\${!large[@]}"; do note too-large "\${name#./}"; done
  while IFS= read -r name; do note unreadable "$name"; done < <(
    sed -n "s/^warning: could not open directory '\\\\(.*\\\\)': .*/\\\\1/p" "$shadow/errors"
  )
  while IFS= read -r -d '' name; do
    if [ "\${name: -1}" = / ] || [ -n "\${large["./$name"]}" ]; then continue; fi
    if [ ! -L "$name" ] && [ ! -r "$name" ]; then [ ! -e "$name" ] || note unreadable "$name"
    elif [ -L "$name" ] || [ ! "$name" -nt "$shadow/paths" ]; then note not-allowed "$name"
    fi
  done < <(git ls-files -z --others --exclude-standard)
  while IFS= read -r -d '' name; do
    if [ -f "$name" ] && [ ! -r "$name" ]; then note unreadable "$name"; fi
  done < <(git ls-files -z --modified)
  for name in "\${!submodules[@]}"; do
    [ ! -e "$name/.git" ] || is_at_remote "$name" || note submodule "\${name#./}"
  done
}
stage() {
  local entry round
  declare -gA large=() submodules=() entered=()
  while IFS= read -r -d '' entry; do
    [ -z "\${entry#*$'\\n'}" ] || submodules["./\${entry#*$'\\n'}"]=1
  done < <(git config -z -f .gitmodules --get-regexp '^submodule\\..*\\.path$')
  placeholder=$(git hash-object -w --stdin < /dev/null) || return 1
  : > "$shadow/left-out"
  add_all
  while stage_nested; do add_all; done
  drop_refused
  if ! tree=$(git write-tree); then
    git ls-tree -r -z --name-only HEAD > "$shadow/names"
    rm -f "$shadow/index"
    git update-index -z --add --remove --stdin < "$shadow/names"
    add_all
    tree=$(git write-tree) || return 1
  fi
  list_left_out
}
left_out() {
  local entry
  declare -A seen=()
  while IFS= read -r -d '' entry; do seen["$entry"]=1; done < "$shadow/left-out"
  printf '%s:' "\${#seen[@]}"
  for entry in "\${!seen[@]}"; do printf '%s\\0' "$entry"; done | sort -z -t $'\\t' -k 2 |
    head -z -n ${maxLeftOut} | base64 -w 0
}
`

/** Parses the output of `left_out`: `<count>:<base64 of reason, tab, path, NUL …>`. */
export function parseLeftOut(line: string): LeftOut {
  const [count = '', packed = ''] = line.split(':')
  const paths = Buffer.from(packed, 'base64')
    .toString()
    .split('\0')
    .flatMap((record) => {
      const tab = record.indexOf('\t')
      const reason = record.slice(0, tab)
      return tab > 0 && isLeftOutReason(reason) ? [{ path: record.slice(tab + 1), reason }] : []
    })
  return { count: Number(count) || 0, paths }
}
