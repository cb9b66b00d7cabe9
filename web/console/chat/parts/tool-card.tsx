import type { ReactNode } from 'react'
import { Status } from '../../parts/words.tsx'
import { Approval, type Decide } from './approval.tsx'
import { FileAdded } from './file-lines.tsx'
import { Question } from './question.tsx'
import { SubAgent } from './sub-agent.tsx'
import { findFault, toFields, toList, readToolName, toText, type ToolPart } from './tool-part.ts'

type Props = {
  part: ToolPart
  isAsked: boolean
  onAnswer: (toolCallId: string, answers: Record<string, string>) => void
  onDecide: Decide
}

/** Shows a tool call: its main input in one line, and its result when opened. */
export function ToolCard({ part, isAsked, onAnswer, onDecide }: Props) {
  const name = readToolName(part)
  if (name === 'ask_user_question')
    return <Question part={part} isOpen={isAsked} onAnswer={(answers) => onAnswer(part.toolCallId, answers)} />
  if (part.state === 'approval-requested') return <Approval part={part} isOpen={isAsked} onDecide={onDecide} />
  return <CallCard part={part} />
}

function CallCard({ part }: { part: ToolPart }) {
  const name = readToolName(part)
  const fault = findFault(part)
  const state = classifyState(part, fault)
  return (
    <details className={`tool ${state}`} open={name === 'bash' || name === 'task' || undefined}>
      <summary>
        <span className="tool-name">{name}</span> <code>{headline(name, part)}</code>{' '}
        {state !== 'done' && <Status of={state} />}
      </summary>
      {fault !== undefined && <p className="wrong">{fault}</p>}
      {state === 'denied' && <p className="quiet">Denied{part.approval?.reason && `: ${part.approval.reason}`}</p>}
      {body(name, part)}
    </details>
  )
}

function classifyState(
  { state, preliminary, output }: ToolPart,
  fault: string | undefined,
): 'running' | 'failed' | 'denied' | 'done' {
  if (state === 'output-denied') return 'denied'
  if (fault !== undefined || toFields(output)['success'] === false) return 'failed'
  return state !== 'output-available' || preliminary === true ? 'running' : 'done'
}

function headline(name: string, { input }: ToolPart): string {
  const fields = toFields(input)
  const names: Record<string, string> = {
    bash: 'command',
    read: 'filePath',
    write: 'filePath',
    fetch: 'url',
    skill: 'skill',
    task: 'task',
  }
  const field = names[name] ?? 'pattern'
  const text = toText(fields[field])
  return name === 'fetch' ? `${toText(fields['method']) || 'GET'} ${text}` : (text.split('\n')[0] ?? '')
}

function body(name: string, part: ToolPart): ReactNode {
  const input = toFields(part.input)
  const output = toFields(part.output)
  switch (name) {
    case 'bash':
      return <Command command={toText(input['command'])} output={output} />
    case 'write':
      return <FileAdded text={toText(input['content'])} />
    case 'read':
      return <Text text={toText(output['content'])} />
    case 'grep':
      return <Matches matches={toList(output['matches'])} />
    case 'glob':
      return <Text text={toList(output['files']).map(readPath).join('\n')} />
    case 'todo':
      return <Todos todos={toList(input['todos'])} />
    case 'fetch':
      return <Text text={`${toText(output['status'])}\n${toText(output['body'])}`.trim()} />
    case 'task':
      return (
        <SubAgent input={input} output={output} showCall={(call) => <CallCard key={call.toolCallId} part={call} />} />
      )
    case 'skill':
      return <Text text={toText(output['content'])} />
    default:
      return <Text text={JSON.stringify({ input: part.input, output: part.output }, null, 2)} />
  }
}

function Command({ command, output }: { command: string; output: Record<string, unknown> }) {
  const exitCode = output['exitCode']
  return (
    <>
      <Text
        text={[`$ ${command}`, toText(output['stdout']), toText(output['stderr'])]
          .filter((line) => line !== '')
          .join('\n')}
      />
      {typeof exitCode === 'number' && exitCode !== 0 && <p className="wrong">Exit code {exitCode}</p>}
      {output['truncated'] === true && <p className="quiet">The output was truncated.</p>}
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
      {matches.map(toFields).map((match, at) => (
        <li key={at}>
          <code>
            {toText(match['file'] ?? match['path'])}:{toText(match['line'] ?? match['lineNumber'])}
          </code>{' '}
          {toText(match['content'] ?? match['text'])}
        </li>
      ))}
    </ul>
  )
}

function Todos({ todos }: { todos: unknown[] }) {
  return (
    <ul className="plain-list">
      {todos.map(toFields).map((todo, at) => (
        <li key={at}>
          {todo['status'] === 'completed' ? '☑' : todo['status'] === 'in_progress' ? '◐' : '☐'}{' '}
          {toText(todo['content'])}
        </li>
      ))}
    </ul>
  )
}

function readPath(file: unknown): string {
  return typeof file === 'string' ? file : toText(toFields(file)['path'])
}
