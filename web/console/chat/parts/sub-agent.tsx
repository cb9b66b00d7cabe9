import type { ReactNode } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { toFields, toList, toText, type Fields, type ToolPart } from './tool-part.ts'

type Props = { input: Fields; output: Fields; showCall: (part: ToolPart) => ReactNode }

/** Shows the task of a sub-agent, its current call and, when it has ended, its result. */
export function SubAgent({ input, output, showCall }: Props) {
  const pending = toFields(output['pending'])
  const messages = toList(output['final']).map(toFields)
  return (
    <div className="sub-agent">
      <p className="said quiet">{toText(input['instructions'])}</p>
      {pending['name'] !== undefined && (
        <p role="status">
          Call {toText(output['toolCallCount'])}: {toText(pending['name'])}{' '}
          <code>{toText(pending['input']).slice(0, 200)}</code>
        </p>
      )}
      {listCalls(messages).map(showCall)}
      {listTexts(messages).map((text, at) => (
        <Markdown key={at} text={text} />
      ))}
    </div>
  )
}

function listContent(messages: Fields[], role: string): Fields[] {
  return messages.filter((message) => message['role'] === role).flatMap(({ content }) => toList(content).map(toFields))
}

function listTexts(messages: Fields[]): string[] {
  return listContent(messages, 'assistant')
    .filter(({ type }) => type === 'text')
    .map(({ text }) => toText(text))
}

/** Lists the tool calls in model messages, each with its result. */
function listCalls(messages: Fields[]): ToolPart[] {
  const results = new Map(listContent(messages, 'tool').map((result) => [toText(result['toolCallId']), result]))
  return listContent(messages, 'assistant')
    .filter(({ type }) => type === 'tool-call')
    .map((call) => {
      const toolCallId = toText(call['toolCallId'])
      const output = toFields(results.get(toolCallId)?.['output'])
      const type = `tool-${toText(call['toolName'])}`
      return { type, toolCallId, state: 'output-available', input: call['input'], output: output['value'] ?? output }
    })
}
