import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenChat } from '../../chat/chat-api.ts'
import { eventually, type World } from '../../world/world.ts'

/** Appends a line each time that it runs, then sleeps. */
export const markingCommand = 'echo ran >> count.txt; sleep 30'

/** Waits until the command has left its mark in the sandbox of the chat, which means that it has run. */
export const untilItRan = async ({ config }: World, { sessionId }: OpenChat): Promise<void> => {
  const file = join(config.DATA_DIR, 'sandboxes', `session-${sessionId}`, 'workspace', 'count.txt')
  const marks = await eventually('the mark of the command', async () => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text.endsWith('\n') ? text : undefined
  })
  if (marks !== 'ran\n') throw new Error(`the command ran more than once before the fault: ${JSON.stringify(marks)}`)
}
