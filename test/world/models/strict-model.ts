type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const validName = /^[A-Za-z0-9_-]{1,64}$/
const validId = /^[A-Za-z0-9_-]{1,40}$/
const imageData = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/
const pdfData = /^data:application\/pdf;base64,[A-Za-z0-9+/]+={0,2}$/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Returns why a part of a user message is rejected, or undefined if it is accepted. */
const explainPart = (part: unknown): string | undefined => {
  if (!isObject(part)) return 'is not an object'
  const member = (name: string, key: string): unknown => (isObject(part[name]) ? part[name][key] : undefined)
  switch (part['type']) {
    case 'text':
      return isText(part['text']) ? undefined : 'text content blocks must contain non-whitespace text'
    case 'image_url': {
      const url = member('image_url', 'url')
      const isLink = typeof url === 'string' && /^https?:\/\//.test(url)
      return isLink || imageData.test(String(url)) ? undefined : `Invalid image_url ${String(url).slice(0, 40)}`
    }
    case 'input_audio': {
      const isKnown = ['wav', 'mp3'].includes(String(member('input_audio', 'format')))
      return isKnown && base64.test(String(member('input_audio', 'data'))) ? undefined : 'Invalid input_audio'
    }
    case 'file':
      return pdfData.test(String(member('file', 'file_data'))) ? undefined : 'Invalid file: only PDF is supported'
    default:
      return `unknown part type ${String(part['type'])}`
  }
}

const explainUserMessage = (content: unknown): string | undefined => {
  if (!Array.isArray(content)) return isText(content) ? undefined : 'content must not be empty'
  if (content.length === 0) return 'content must not be empty'
  return content.map(explainPart).find((problem) => problem !== undefined)
}

const explainToolCall = (call: unknown, callIds: Set<unknown>): string | undefined => {
  const wire = isObject(call) && isObject(call['function']) ? call['function'] : undefined
  if (!isObject(call) || wire === undefined || call['type'] !== 'function') return 'a tool call is malformed'
  if (!validId.test(String(call['id']))) return `tool call id ${String(call['id'])} does not match ${validId.source}`
  if (callIds.has(call['id'])) return `duplicate tool call id ${String(call['id'])}`
  callIds.add(call['id'])
  if (!validName.test(String(wire['name']))) return `name ${String(wire['name'])} does not match ${validName.source}`
  try {
    return isObject(JSON.parse(String(wire['arguments']))) ? undefined : 'arguments must be a JSON object'
  } catch {
    return 'arguments must be valid JSON'
  }
}

const explainAssistantMessage = (message: Json, callIds: Set<unknown>): string | undefined => {
  const { tool_calls: calls, content } = message
  if (calls === undefined) {
    const blocks = Array.isArray(content) ? content : undefined
    const hasText =
      blocks === undefined ? isText(content) : blocks.some((block) => isObject(block) && isText(block['text']))
    return hasText ? undefined : 'content or tool_calls must be set'
  }
  if (!Array.isArray(calls) || calls.length === 0) return 'tool_calls must not be empty'
  if (content !== null && typeof content === 'string' && content.trim() === '') return 'content must not be blank'
  return calls.map((call) => explainToolCall(call, callIds)).find((problem) => problem !== undefined)
}

const isMalformed = (value: unknown): boolean => {
  if (typeof value === 'string') return /\p{Surrogate}|\0/u.test(value)
  if (Array.isArray(value)) return value.some(isMalformed)
  return isObject(value) && Object.values(value).some(isMalformed)
}

/**
 * Returns the reason for which a strict server rejects a conversation, or undefined if all known vendors accept it.
 * Each rule is that of a known vendor or of a chat template of a self-hosted server.
 */
export const findConversationFault = (
  messages: readonly unknown[],
  tools: readonly unknown[] = [],
): string | undefined => {
  const callIds = new Set<unknown>()
  let pendingCallIds: unknown[] = []
  let previousRole = 'system'
  for (const [index, message] of messages.entries()) {
    const locate = (text: string): string => `messages[${index}]: ${text}`
    if (!isObject(message)) return locate('is not an object')
    if (isMalformed(message)) return locate('invalid unicode code point')
    const role = String(message['role'])
    if (role !== 'tool' && pendingCallIds.length > 0)
      return locate(`no tool result for tool_call_id ${String(pendingCallIds[0])}`)
    if (role === 'system' && index > 0) return locate('the system message must be at the beginning')
    if (role === 'assistant' && previousRole === 'system') return locate('the first message must be a user message')
    if ((role === 'user' || role === 'assistant') && role === previousRole) return locate('roles must alternate')
    if (role === 'user') {
      const problem = explainUserMessage(message['content'])
      if (problem !== undefined) return locate(problem)
    } else if (role === 'assistant') {
      const problem = explainAssistantMessage(message, callIds)
      if (problem !== undefined) return locate(problem)
      pendingCallIds = ((message['tool_calls'] ?? []) as Json[]).map(({ id }) => id)
    } else if (role === 'tool') {
      if (!pendingCallIds.includes(message['tool_call_id'])) return locate('a tool message must follow its tool call')
      if (!isText(message['content'])) return locate('the content of a tool message must not be empty')
      pendingCallIds = pendingCallIds.filter((id) => id !== message['tool_call_id'])
    } else if (role !== 'system') return locate(`unknown role ${role}`)
    previousRole = role
  }
  if (pendingCallIds.length > 0) return `no tool result for tool_call_id ${String(pendingCallIds[0])}`
  if (previousRole === 'system') return 'there must be a user message'
  if (previousRole === 'assistant') return 'the conversation must end with a user message'
  const names = tools.map((tool) =>
    isObject(tool) && isObject(tool['function']) ? String(tool['function']['name']) : '',
  )
  const invalidName = names.find((name, index) => !validName.test(name) || names.indexOf(name) !== index)
  return invalidName === undefined ? undefined : `tool name ${invalidName} is not valid`
}
