import type { ReactNode } from 'react'
import { Markdown } from '../../parts/markdown.tsx'
import { fieldsOf, listOf, textOf, type Fields, type ToolPart } from './tool-part.ts'

type Props = { input: Fields; output: Fields; showCall: (part: ToolPart) => ReactNode }

/** A sub-agent: its task, its current call and, at the end, its result. */
export function SubAgent({ input, output, showCall }: Props) {
  const pending = fieldsOf(output['pending'])
  const messages = listOf(output['final']).map(fieldsOf)
  return (
    <div className="sub-agent">
      <p className="said quiet">{textOf(input['instructions'])}</p>
      {pending['name'] !== undefined && (
        <p role="status">
          Call {textOf(output['toolCallCount'])}: {textOf(pending['name'])}{' '}
          <code>{textOf(pending['input']).slice(0, 200)}</code>
        </p>
      )}
      {callsOf(messages).map(showCall)}
      {textsOf(messages).map((text, at) => (
        <Markdown key={at} text={text} />
      ))}
    </div>
  )
}

function contentOf(messages: Fields[], role: string): Fields[] {
  return messages.filter((message) => message['role'] === role).flatMap(({ content }) => listOf(content).map(fieldsOf))
}

function textsOf(messages: Fields[]): string[] {
  return contentOf(messages, 'assistant')
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text))
}

/** The calls of model messages, each with its result. */
function callsOf(messages: Fields[]): ToolPart[] {
  const results = new Map(contentOf(messages, 'tool').map((result) => [textOf(result['toolCallId']), result]))
  return contentOf(messages, 'assistant')
    .filter(({ type }) => type === 'tool-call')
    .map((call) => {
      const toolCallId = textOf(call['toolCallId'])
      const output = fieldsOf(results.get(toolCallId)?.['output'])
      const type = `tool-${textOf(call['toolName'])}`
      return { type, toolCallId, state: 'output-available', input: call['input'], output: output['value'] ?? output }
    })
}
