import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type ExampleRequest = { method: string; url: string; body: string | undefined }

const run = promisify(execFile)
/** Value of each placeholder for an id. */
const id = '6a1f3c6e-2f0a-4f6e-9d8e-0b8f6f0c9a11'
const base = 'http://localhost:8787'

/** Stubs of the commands in the examples. `curl` records its arguments. The PATH contains no other program. */
const commands = `
PATH=/nowhere
curl() { printf '%s\\0' "$@" $'\\n' >> requests; echo '{"status":"completed","state":"active"}'; }
json() { node "$@"; }
node() { case "$*" in *[uU]rl*) echo "${base}/page";; *) echo ${id};; esac; }
uuidgen() { echo ${id}; }
grep() { [[ "$(</dev/stdin)" == *completed* ]]; }
sed() { echo token; }
head() { echo token; }
sleep() { :; }
command_not_found_handle() { return 0; }
post() { curl -X POST "$BASE$1" -H 'content-type: application/json' -d "$2"; }
`

/**
 * Runs the shell examples of a text with a stub of `curl`. Returns the requests that curl would have sent.
 */
export async function recordRequests(markdown: string): Promise<ExampleRequest[]> {
  const examples = [...markdown.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, text = '']) => text)
  if (examples.length === 0) return []
  const folder = await mkdtemp(join(tmpdir(), 'backline-examples-'))
  try {
    const script = examples
      .join('\n')
      .replaceAll(/<STREAMING_ARTIST_ID>/g, '0LcJLqbBmaGUft1e9Mm8HV')
      .replaceAll(/<[A-Z_]+>/g, id)
      .replaceAll(/^\s*(?:BASE=.*|[A-Z_]+=\S*(?:\.\.\.|…).*)$/gm, '')
    const names = [...script.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name = '']) => name)
    const env = { ...Object.fromEntries(names.map((name) => [name, id])), BASE: base, URL: `${base}/page` }
    await run('/bin/bash', ['--noprofile', '--norc', '-c', commands + script], { cwd: folder, env, timeout: 20_000 })
    const recorded = await readFile(join(folder, 'requests'), 'utf8').catch(() => '')
    return recorded
      .split('\n\0')
      .filter((line) => line !== '')
      .map((line) => parseRequest(line.split('\0')))
      .filter(({ url }) => url !== '')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Parses arguments of curl. */
function parseRequest(args: readonly string[]): ExampleRequest {
  let method: string | undefined
  let url = ''
  let body: string | undefined
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (arg === '-X') method = args[(at += 1)]
    else if (arg === '-d' || arg.startsWith('--data')) body = args[(at += 1)]
    else if (/^-[a-zA-Z]*[oHwu]$/.test(arg) || arg === '--retry') at += 1
    else if (arg.startsWith('http')) url = arg
  }
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url, body }
}
