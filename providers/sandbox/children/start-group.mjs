// Plain JavaScript, because a process without the TypeScript loader uses it.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

const keptText = 4096

export const startGroup = (
  { argv, env, stdin, args, script = '', filter = '', niceness },
  { onSpawn, onError, onClose },
) => {
  const [file, ...rest] = argv
  const child = spawn(file, rest, {
    cwd: '/',
    env: { ...env, PARENT: String(process.pid) },
    detached: true,
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined && niceness !== undefined) lower(child.pid, niceness)
  if (child.pid !== undefined) onSpawn(child.pid)
  const [input, output, errors, argument, status, text, calls] = child.stdio
  output.on('error', () => {})
  const complaint = gather(errors)
  const statusText = gather(status)
  if (isBytes(stdin)) feed(input, stdin)
  feed(argument, args)
  feed(text, script)
  feed(calls, filter)
  child.once('error', onError)
  child.once('close', () => onClose({ status: statusText(), complaint: complaint() }))
  return { input, output, kill: () => kill(child) }
}

export const isBytes = (stdin) => typeof stdin === 'string' || stdin instanceof Uint8Array

const lower = (pid, niceness) => {
  try {
    setPriority(pid, niceness)
  } catch {
    // The process has ended, or it sets its own niceness.
  }
}

const kill = (child) => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

const gather = (stream) => {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    if (text.length < keptText) text += chunk
  })
  stream.on('error', () => {})
  return () => text.slice(0, keptText)
}

// Errors are ignored, because a program need not read its input.
const feed = (stream, content) => stream.on('error', () => {}).end(content)
