// Starts process groups for fork-server.ts. The file is JavaScript, because Node.js runs it without the TypeScript loader of
// the main process.
import { closeInheritedDescriptors } from './inherited-descriptors.mjs'
import { startGroup } from './start-group.mjs'

closeInheritedDescriptors()

const groups = new Map()

const sendMessage = (message) => {
  if (process.connected) process.send(message, () => {})
}

const start = ({ id, maxOutputBytes, ...group }) => {
  const onError = ({ message, code }) => sendMessage({ id, failed: { message, code } })
  try {
    const { output, kill } = startGroup(group, {
      onSpawn: (pid) => sendMessage({ id, spawned: pid }),
      onError,
      onClose: (ended) => {
        groups.delete(id)
        sendMessage({ id, ended })
      },
    })
    groups.set(id, kill)
    let size = 0
    output.on('data', (chunk) => {
      // One chunk above the limit is sent, so that the parent detects the excess and kills the group.
      if (size <= maxOutputBytes) sendMessage({ id, output: chunk })
      size += chunk.length
    })
  } catch (error) {
    // The arguments are too long or contain a NUL.
    onError(error)
  }
}

const killGroup = (id) => {
  groups.get(id)?.()
  sendMessage({ id, killed: true })
}

process.on('message', ({ kill, ...message }) => (kill === true ? killGroup(message.id) : start(message)))
process.once('disconnect', () => process.exit())
sendMessage({ ready: true })
