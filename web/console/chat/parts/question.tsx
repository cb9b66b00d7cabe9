import { useState } from 'react'
import { toRecord } from '../../access/json.ts'
import { Facts } from '../../parts/page.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { toList, toText, type ToolPart } from './tool-part.ts'

type Props = { part: ToolPart; isAwaitingUser: boolean; onAnswer: (answers: Record<string, string>) => void }

/** Form for the agent's questions. The turn continues with the answers. */
export function Question({ part, isAwaitingUser, onAnswer }: Props) {
  const questions = toList(toRecord(part.input)['questions']).map(toRecord)
  if (part.state === 'output-available') return <AnswerList questions={questions} output={toRecord(part.output)} />
  if (part.state === 'output-error') return <UnansweredQuestions questions={questions} />
  return (
    <div className="question">
      <Form
        submit="Answer"
        onSubmit={(fields) => {
          const answers = questions.map((question, index): [string, string] => [
            toText(question['question']),
            fields.text(`text-${index}`) || fields.text(`choice-${index}`),
          ])
          if (answers.some(([, answer]) => answer === ''))
            return Promise.reject(new Error('Select or enter an answer to each question.'))
          return Promise.resolve(onAnswer(Object.fromEntries(answers)))
        }}
      >
        <fieldset className="bare" disabled={!isAwaitingUser}>
          {questions.map((question, index) => (
            <Choice key={index} index={index} question={question} />
          ))}
        </fieldset>
      </Form>
    </div>
  )
}

function Choice({ index, question }: { index: number; question: Record<string, unknown> }) {
  const isMultiple = question['multiSelect'] === true
  const [selected, setSelected] = useState<string[]>([])
  return (
    <fieldset>
      <legend>{toText(question['question'])}</legend>
      <input type="hidden" name={`choice-${index}`} value={selected.join(', ')} />
      {toList(question['options'])
        .map(toRecord)
        .map((option) => toText(option['label']))
        .map((label) => (
          <label key={label} className="choice">
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              name={`options-${index}`}
              checked={selected.includes(label)}
              onChange={({ target }) =>
                setSelected(
                  isMultiple
                    ? target.checked
                      ? [...selected, label]
                      : selected.filter((other) => other !== label)
                    : [label],
                )
              }
            />
            {label}
          </label>
        ))}
      <TextField label="Other answer" name={`text-${index}`} />
    </fieldset>
  )
}

function AnswerList({ questions, output }: { questions: Record<string, unknown>[]; output: Record<string, unknown> }) {
  const answers = toRecord(output['answers'])
  return (
    <Facts
      className="question"
      facts={questions.map(({ question }) => [toText(question), toText(answers[toText(question)])])}
    />
  )
}

function UnansweredQuestions({ questions }: { questions: Record<string, unknown>[] }) {
  return <p className="question quiet">Not answered: {questions.map(({ question }) => toText(question)).join(' ')}</p>
}
