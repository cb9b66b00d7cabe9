const absentCode = 20
const specialCode = 22
const unreadableCode = 24
const badPatternCode = 25

/** Errors by exit code of the scripts. */
export const scriptErrorTexts: Record<number, string> = {
  [absentCode]: 'Path not found',
  [specialCode]: 'Not a regular file or folder',
  [unreadableCode]: 'Path cannot be opened',
  [badPatternCode]: 'The pattern is not a valid regular expression',
}

/**
 * Changes to SEARCH_ROOT and detects the programs of this sandbox: `marked` for GNU programs, which can terminate names with
 * NUL, otherwise `plain`, which omits names with a line feed. `list` finds the files whose path matches SEARCH_FILES.
 * Without back-references, the regular expressions of find and grep take linear time.
 */
const enter = `
[ -e "$SEARCH_ROOT" ] || exit ${absentCode}
start=. kind=folder form=plain types=
if [ -d "$SEARCH_ROOT" ]; then
  cd -- "$SEARCH_ROOT" 2>/dev/null || exit ${unreadableCode}
elif [ -f "$SEARCH_ROOT" ]; then
  kind=file
  start="./$(basename -- "$SEARCH_ROOT")"
  cd -- "$(dirname -- "$SEARCH_ROOT")" 2>/dev/null || exit ${unreadableCode}
else
  exit ${specialCode}
fi
if find /dev/null -regextype posix-extended >/dev/null 2>&1; then
  form=marked types='-regextype posix-extended'
fi
list() {
  find "$start" $types '(' -type d '(' -name '.?*' -o -name node_modules ')' -prune ')' -o \\
    -type f -regex "$SEARCH_FILES" "$@" 2>/dev/null
}
`

/**
 * Prints the form, then the files that contain a NUL and are not searched, then one line for each match: `name NUL
 * line:content` in the marked form. In the plain form a match is `name:line:content`, and the names with a colon or a line
 * feed precede all matches, each terminated by NUL. The C locale includes files in encodings other than UTF-8, because only a
 * NUL makes a file binary in it.
 */
export const grepScript = `${enter}
grep -E $SEARCH_CASE -e "$SEARCH_PATTERN" /dev/null >/dev/null 2>&1
[ $? -le 1 ] || exit ${badPatternCode}
echo "$form $kind"
if [ $form = marked ]; then
  list -size +0c -print0 | LC_ALL=C xargs -0 -r grep -IsL -D skip -e '' -- 2>/dev/null | wc -l
  list -size +0c -print0 | LC_ALL=C xargs -0 -r grep -IslZ -D skip -e '' -- 2>/dev/null |
    LC_ALL=C.UTF-8 xargs -0 -r grep -HnsaZ -D skip -m "$SEARCH_PER_FILE" -E $SEARCH_CASE -e "$SEARCH_PATTERN" -- 2>/dev/null |
    head -n "$SEARCH_MOST" | cut -b 1-5000
else
  list -print0 | xargs -0 -r grep -l -P '\\x00' -- /dev/null 2>/dev/null
  printf '\\0'
  list '(' -name '*:*' -o -name $'*\\n*' ')' -print0
  printf '\\0'
  list -print0 |
    xargs -0 -r grep -n -m "$SEARCH_PER_FILE" -E $SEARCH_CASE -e "$SEARCH_PATTERN" -- /dev/null 2>/dev/null |
    head -n "$SEARCH_MOST"
fi
exit 0
`

/** Prints the form, then the time, size and path of each file, most recently changed first. */
export const globScript = `${enter}
echo "$form $kind"
if [ $form = marked ]; then
  list -printf '%T@ %s %p\\0' | sort -zrn | head -zn "$SEARCH_MOST"
else
  list -printf '%T@ %s %p\\n' | sort -rn | head -n "$SEARCH_MOST"
fi
exit 0
`
