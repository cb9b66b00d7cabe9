import { toRecord, type Json } from '../../access/json.ts'
import type { ReactNode } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { toList, toText, type ToolPart } from './tool-part.ts'

type Props = { input: Json; output: Json; renderCall: (part: ToolPart) => ReactNode }

/** Shows the task of a sub-agent, its current tool call and, after its end, its calls and texts. */
export function SubAgent({ input, output, renderCall }: Props) {
  const pending = toRecord(output['pending'])
  const messages = toList(output['final']).map(toRecord)
  return (
    <div className="sub-agent">
      <p className="verbatim quiet">{toText(input['instructions'])}</p>
      {pending['name'] !== undefined && (
        <p role="status">
          Call {toText(output['toolCallCount'])}: {toText(pending['name'])}{' '}
          <code>{toText(pending['input']).slice(0, 200)}</code>
        </p>
      )}
      {listCalls(messages).map(renderCall)}
      {listTexts(messages).map((text, index) => (
        <Markdown key={index} text={text} />
      ))}
    </div>
  )
}

function listContent(messages: Json[], role: string): Json[] {
  return messages.filter((message) => message['role'] === role).flatMap(({ content }) => toList(content).map(toRecord))
}

function listTexts(messages: Json[]): string[] {
  return listContent(messages, 'assistant')
    .filter(({ type }) => type === 'text')
    .map(({ text }) => toText(text))
}

/** Lists the tool calls in model messages, each with its result. */
function listCalls(messages: Json[]): ToolPart[] {
  const results = new Map(listContent(messages, 'tool').map((result) => [toText(result['toolCallId']), result]))
  return listContent(messages, 'assistant')
    .filter(({ type }) => type === 'tool-call')
    .map((call) => {
      const toolCallId = toText(call['toolCallId'])
      const output = toRecord(results.get(toolCallId)?.['output'])
      const type = `tool-${toText(call['toolName'])}`
      return { type, toolCallId, state: 'output-available', input: call['input'], output: output['value'] ?? output }
    })
}
