// Starts process groups for fork-server.ts. Plain JavaScript: it is started by bare Node, without the loader of the
// main process.
import { closeInheritedDescriptors } from './inherited-descriptors.mjs'
import { startGroup } from './start-group.mjs'

closeInheritedDescriptors()

const groups = new Map()

const tell = (message) => {
  if (process.connected) process.send(message, () => {})
}

const start = ({ id, maxOutputBytes, ...group }) => {
  const onError = ({ message, code }) => tell({ id, failed: { message, code } })
  try {
    const { output, kill } = startGroup(group, {
      onSpawn: (pid) => tell({ id, spawned: pid }),
      onError,
      onClose: (ended) => {
        groups.delete(id)
        tell({ id, ended })
      },
    })
    groups.set(id, kill)
    let size = 0
    output.on('data', (chunk) => {
      // A piece more than is kept tells that something is missing: then the group is ended from there.
      if (size <= maxOutputBytes) tell({ id, output: chunk })
      size += chunk.length
    })
  } catch (error) {
    // Arguments that are too long, or have a NUL.
    onError(error)
  }
}

const end = (id) => {
  groups.get(id)?.()
  tell({ id, killed: true })
}

process.on('message', ({ kill, ...message }) => (kill === true ? end(message.id) : start(message)))
process.once('disconnect', () => process.exit())
tell({ ready: true })
