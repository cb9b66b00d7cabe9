import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenChat } from '../../chat/chat-api.ts'
import { eventually, type World } from '../../world/world.ts'

/** A command that appends a line to a file and then sleeps. */
export const markingCommand = 'echo ran >> count.txt; sleep 30'

/** Waits until `markingCommand` has written its line. Throws if it has run more than once. */
export const untilCommandRan = async ({ config }: World, { sessionId }: OpenChat): Promise<void> => {
  const file = join(config.DATA_DIR, 'sandboxes', `session-${sessionId}`, 'workspace', 'count.txt')
  const lines = await eventually('the line of the command', async () => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text.endsWith('\n') ? text : undefined
  })
  if (lines !== 'ran\n') throw new Error(`the command ran more than once before the fault: ${JSON.stringify(lines)}`)
}
