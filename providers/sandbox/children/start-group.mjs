// The file is JavaScript, because a process without the TypeScript loader imports it.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

const maxTextLength = 4096

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
  if (child.pid !== undefined && niceness !== undefined) lowerPriority(child.pid, niceness)
  if (child.pid !== undefined) onSpawn(child.pid)
  const [input, output, errors, argument, status, text, calls] = child.stdio
  output.on('error', () => {})
  const complaint = collectText(errors)
  const statusText = collectText(status)
  if (isBytes(stdin)) writeInput(input, stdin)
  writeInput(argument, args)
  writeInput(text, script)
  writeInput(calls, filter)
  child.once('error', onError)
  child.once('close', () => onClose({ status: statusText(), complaint: complaint() }))
  return { input, output, kill: () => kill(child) }
}

export const isBytes = (stdin) => typeof stdin === 'string' || stdin instanceof Uint8Array

const lowerPriority = (pid, niceness) => {
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

const collectText = (stream) => {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    if (text.length < maxTextLength) text += chunk
  })
  stream.on('error', () => {})
  return () => text.slice(0, maxTextLength)
}

// Errors are ignored, because a program may exit without reading its input.
const writeInput = (stream, content) => stream.on('error', () => {}).end(content)
