import { isUuid } from '../../fields/ids.ts'
import { maxBatch } from '../request.ts'
import { defaultTemplate } from '../templates/index.ts'

/** Request in a mention of the agent. `artistId` is undefined if the first word is not an id. */
export type MentionRequest = { artistId: string | undefined; template: string; batch: number; lipsync: boolean }

/** Parses `<artist id> [template] [batch=N] [lipsync]`: options in any order after the id, mentions anywhere. */
export function parseMention(text: string): MentionRequest {
  const [first = '', ...rest] = text
    .replaceAll(/<@[^<>]*>/g, ' ')
    .trim()
    .split(/\s+/)
  const request: MentionRequest = {
    artistId: isUuid(first) ? first.toLowerCase() : undefined,
    template: defaultTemplate,
    batch: 1,
    lipsync: false,
  }
  for (const word of rest) {
    const lower = word.toLowerCase()
    if (lower === 'lipsync') request.lipsync = true
    else if (lower.startsWith('batch')) request.batch = parseBatch(lower) ?? request.batch
    else request.template = word
  }
  return request
}

function parseBatch(word: string): number | undefined {
  const count = Number(/^batch=(\d{1,3})$/.exec(word)?.[1])
  return count >= 1 && count <= maxBatch ? count : undefined
}
