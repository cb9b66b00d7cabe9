// The first process in a vendor's machine. Starts programs and reports their output, one JSON object per line.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const report = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

const start = ({ id, file, args, cwd, env, input }) => {
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...env },
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.on('error', () => {})
  child.stdin?.end(Buffer.from(input ?? '', 'base64'))
  for (const stream of ['stdout', 'stderr'])
    child[stream].on('data', (data) => report({ id, event: stream, data: data.toString('base64') }))
  child.once('error', (error) => report({ id, event: 'end', exitCode: 127, error: error.message }))
  child.once('close', (code) => report({ id, event: 'end', exitCode: code ?? 137 }))
}

createInterface({ input: process.stdin }).on('line', (line) => start(JSON.parse(line)))
process.stdin.once('end', () => process.exit(0))
report({ event: 'ready' })
