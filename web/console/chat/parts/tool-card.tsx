import type { ReactNode } from 'react'
import { FileAdded } from './file-lines.tsx'
import { Question } from './question.tsx'
import { SubAgent } from './sub-agent.tsx'
import { faultOf, fieldsOf, listOf, nameOf, textOf, type ToolPart } from './tool-part.ts'

type Props = {
  part: ToolPart
  isAsked: boolean
  onAnswer: (toolCallId: string, answers: Record<string, string>) => void
}

/** A call of a tool: what was asked in one line, what came of it when opened. */
export function ToolCard({ part, isAsked, onAnswer }: Props) {
  const name = nameOf(part)
  if (name === 'ask_user_question')
    return <Question part={part} isOpen={isAsked} onAnswer={(answers) => onAnswer(part.toolCallId, answers)} />
  return <CallCard part={part} />
}

function CallCard({ part }: { part: ToolPart }) {
  const name = nameOf(part)
  const fault = faultOf(part)
  const state = stateOf(part, fault)
  return (
    <details className={`tool ${state}`} open={name === 'bash' || name === 'task' || undefined}>
      <summary>
        <span className="tool-name">{name}</span> <code>{headline(name, part)}</code>{' '}
        {state !== 'done' && <span className={`status ${state === 'failed' ? 'bad' : 'live'}`}>{state}</span>}
      </summary>
      {fault !== undefined && <p className="wrong">{fault}</p>}
      {body(name, part)}
    </details>
  )
}

function stateOf({ state, preliminary, output }: ToolPart, fault: string | undefined): 'running' | 'failed' | 'done' {
  if (fault !== undefined || fieldsOf(output)['success'] === false) return 'failed'
  return state !== 'output-available' || preliminary === true ? 'running' : 'done'
}

function headline(name: string, { input }: ToolPart): string {
  const fields = fieldsOf(input)
  const names: Record<string, string> = {
    bash: 'command',
    read: 'filePath',
    write: 'filePath',
    fetch: 'url',
    skill: 'skill',
    task: 'task',
  }
  const field = names[name] ?? 'pattern'
  const text = textOf(fields[field])
  return name === 'fetch' ? `${textOf(fields['method']) || 'GET'} ${text}` : (text.split('\n')[0] ?? '')
}

function body(name: string, part: ToolPart): ReactNode {
  const input = fieldsOf(part.input)
  const output = fieldsOf(part.output)
  switch (name) {
    case 'bash':
      return <Command command={textOf(input['command'])} output={output} />
    case 'write':
      return <FileAdded text={textOf(input['content'])} />
    case 'read':
      return <Text text={textOf(output['content'])} />
    case 'grep':
      return <Matches matches={listOf(output['matches'])} />
    case 'glob':
      return <Text text={listOf(output['files']).map(pathOf).join('\n')} />
    case 'todo':
      return <Todos todos={listOf(input['todos'])} />
    case 'fetch':
      return <Text text={`${textOf(output['status'])}\n${textOf(output['body'])}`.trim()} />
    case 'task':
      return (
        <SubAgent input={input} output={output} showCall={(call) => <CallCard key={call.toolCallId} part={call} />} />
      )
    case 'skill':
      return <Text text={textOf(output['content'])} />
    default:
      return <Text text={JSON.stringify({ input: part.input, output: part.output }, null, 2)} />
  }
}

function Command({ command, output }: { command: string; output: Record<string, unknown> }) {
  const exitCode = output['exitCode']
  return (
    <>
      <Text
        text={[`$ ${command}`, textOf(output['stdout']), textOf(output['stderr'])]
          .filter((line) => line !== '')
          .join('\n')}
      />
      {typeof exitCode === 'number' && exitCode !== 0 && <p className="wrong">Exit code {exitCode}</p>}
      {output['truncated'] === true && <p className="quiet">The output was cut.</p>}
    </>
  )
}

function Text({ text }: { text: string }) {
  return text === '' ? null : (
    <pre className="output" tabIndex={0}>
      {text}
    </pre>
  )
}

function Matches({ matches }: { matches: unknown[] }) {
  return (
    <ul className="matches">
      {matches.map(fieldsOf).map((match, at) => (
        <li key={at}>
          <code>
            {textOf(match['file'] ?? match['path'])}:{textOf(match['line'] ?? match['lineNumber'])}
          </code>{' '}
          {textOf(match['content'] ?? match['text'])}
        </li>
      ))}
    </ul>
  )
}

function Todos({ todos }: { todos: unknown[] }) {
  return (
    <ul className="plain-list">
      {todos.map(fieldsOf).map((todo, at) => (
        <li key={at}>
          {todo['status'] === 'completed' ? '☑' : todo['status'] === 'in_progress' ? '◐' : '☐'}{' '}
          {textOf(todo['content'])}
        </li>
      ))}
    </ul>
  )
}

function pathOf(file: unknown): string {
  return typeof file === 'string' ? file : textOf(fieldsOf(file)['path'])
}
