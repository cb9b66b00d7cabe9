import { toRecord } from '../../access/json.ts'
import type { ReactNode } from 'react'
import { Output } from '../../parts/output.tsx'
import { Status } from '../../parts/words.tsx'
import { Approval, type ApprovalHandler } from './approval.tsx'
import { AddedFile } from './file-lines.tsx'
import { Question } from './question.tsx'
import { SubAgent } from './sub-agent.tsx'
import { findError, toList, readToolName, toText, type ToolPart } from './tool-part.ts'

type Props = {
  part: ToolPart
  isAwaitingUser: boolean
  onAnswer: (toolCallId: string, answers: Record<string, string>) => void
  onDecide: ApprovalHandler
}

/** Shows a tool call: its main input in one line, and its result when expanded. */
export function ToolCard({ part, isAwaitingUser, onAnswer, onDecide }: Props) {
  const name = readToolName(part)
  if (name === 'ask_user_question')
    return (
      <Question
        part={part}
        isAwaitingUser={isAwaitingUser}
        onAnswer={(answers) => onAnswer(part.toolCallId, answers)}
      />
    )
  if (part.state === 'approval-requested')
    return <Approval part={part} isAwaitingUser={isAwaitingUser} onDecide={onDecide} />
  return <CallCard part={part} />
}

function CallCard({ part }: { part: ToolPart }) {
  const name = readToolName(part)
  const error = findError(part)
  const state = classifyState(part, error)
  return (
    <details className={`tool ${state}`} open={name === 'bash' || name === 'task' || undefined}>
      <summary>
        <span className="tool-name">{name}</span> <code>{readHeadline(name, part)}</code>{' '}
        {state !== 'done' && <Status of={state} />}
      </summary>
      {error !== undefined && <p className="inline-error">{error}</p>}
      {state === 'denied' && <p className="quiet">Denied{part.approval?.reason && `: ${part.approval.reason}`}</p>}
      {renderBody(name, part)}
    </details>
  )
}

function classifyState(
  { state, preliminary, output }: ToolPart,
  error: string | undefined,
): 'running' | 'failed' | 'denied' | 'done' {
  if (state === 'output-denied') return 'denied'
  if (error !== undefined || toRecord(output)['success'] === false) return 'failed'
  return state !== 'output-available' || preliminary === true ? 'running' : 'done'
}

function readHeadline(name: string, { input }: ToolPart): string {
  const fields = toRecord(input)
  const inputFields: Record<string, string> = {
    bash: 'command',
    read: 'filePath',
    write: 'filePath',
    fetch: 'url',
    skill: 'skill',
    task: 'task',
  }
  const field = inputFields[name] ?? 'pattern'
  const text = toText(fields[field])
  return name === 'fetch' ? `${toText(fields['method']) || 'GET'} ${text}` : (text.split('\n')[0] ?? '')
}

function renderBody(name: string, part: ToolPart): ReactNode {
  const input = toRecord(part.input)
  const output = toRecord(part.output)
  switch (name) {
    case 'bash':
      return <Command command={toText(input['command'])} output={output} />
    case 'write':
      return <AddedFile text={toText(input['content'])} />
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
        <SubAgent input={input} output={output} renderCall={(call) => <CallCard key={call.toolCallId} part={call} />} />
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
      {typeof exitCode === 'number' && exitCode !== 0 && <p className="inline-error">Exit code {exitCode}</p>}
      {output['truncated'] === true && <p className="quiet">The output was truncated.</p>}
    </>
  )
}

function Text({ text }: { text: string }) {
  return text === '' ? null : <Output text={text} />
}

function Matches({ matches }: { matches: unknown[] }) {
  return (
    <ul className="matches">
      {matches.map(toRecord).map((match, index) => (
        <li key={index}>
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
      {todos.map(toRecord).map((todo, index) => (
        <li key={index}>
          {todo['status'] === 'completed' ? '☑' : todo['status'] === 'in_progress' ? '◐' : '☐'}{' '}
          {toText(todo['content'])}
        </li>
      ))}
    </ul>
  )
}

function readPath(file: unknown): string {
  return typeof file === 'string' ? file : toText(toRecord(file)['path'])
}
