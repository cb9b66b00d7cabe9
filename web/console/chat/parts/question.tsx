import { useState } from 'react'
import { Form, TextField } from '../../parts/form.tsx'
import { toFields, toList, toText, type ToolPart } from './tool-part.ts'

type Props = { part: ToolPart; isOpen: boolean; onAnswer: (answers: Record<string, string>) => void }

/** Form for questions of the agent. The turn continues with the answers. */
export function Question({ part, isOpen, onAnswer }: Props) {
  const questions = toList(toFields(part.input)['questions']).map(toFields)
  if (part.state === 'output-available') return <Answered questions={questions} output={toFields(part.output)} />
  if (part.state === 'output-error') return <Unanswered questions={questions} />
  return (
    <div className="question">
      <Form
        submit="Answer"
        onSubmit={(fields) => {
          const answers = questions.map((question, at): [string, string] => [
            toText(question['question']),
            fields.text(`own-${at}`) || fields.text(`choice-${at}`),
          ])
          if (answers.some(([, answer]) => answer === ''))
            return Promise.reject(new Error('Choose or write an answer.'))
          return Promise.resolve(onAnswer(Object.fromEntries(answers)))
        }}
      >
        <fieldset className="bare" disabled={!isOpen}>
          {questions.map((question, at) => (
            <Choice key={at} at={at} question={question} />
          ))}
        </fieldset>
      </Form>
    </div>
  )
}

function Choice({ at, question }: { at: number; question: Record<string, unknown> }) {
  const isMultiple = question['multiSelect'] === true
  const [chosen, setChosen] = useState<string[]>([])
  return (
    <fieldset>
      <legend>{toText(question['question'])}</legend>
      <input type="hidden" name={`choice-${at}`} value={chosen.join(', ')} />
      {toList(question['options'])
        .map(toFields)
        .map((option) => toText(option['label']))
        .map((label) => (
          <label key={label} className="choice">
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              name={`of-${at}`}
              checked={chosen.includes(label)}
              onChange={({ target }) =>
                setChosen(
                  isMultiple ? (target.checked ? [...chosen, label] : chosen.filter((one) => one !== label)) : [label],
                )
              }
            />
            {label}
          </label>
        ))}
      <TextField label="Or in your own words" name={`own-${at}`} />
    </fieldset>
  )
}

function Answered({ questions, output }: { questions: Record<string, unknown>[]; output: Record<string, unknown> }) {
  const answers = toFields(output['answers'])
  return (
    <dl className="question">
      {questions.map((question, at) => {
        const text = toText(question['question'])
        return (
          <div key={at}>
            <dt>{text}</dt>
            <dd>{toText(answers[text])}</dd>
          </div>
        )
      })}
    </dl>
  )
}

function Unanswered({ questions }: { questions: Record<string, unknown>[] }) {
  return <p className="question quiet">Not answered: {questions.map(({ question }) => toText(question)).join(' ')}</p>
}
