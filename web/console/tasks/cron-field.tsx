import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { toString as describeCron } from 'cronstrue'
import { useDeferredValue, useMemo, useState } from 'react'
import { shortestIntervalMinutes } from '../../../domain/tasks/cron/cadence.ts'
import { nextFires } from '../../../domain/tasks/cron/fires.ts'
import { parseCron } from '../../../domain/tasks/cron/parse.ts'
import { SelectField, TextField } from '../parts/form.tsx'
import { describeFrequency } from '../money/describe-plan.ts'
import { formatDateTime } from '../parts/words.tsx'
import { useTaskTerms, type TaskTerms } from './terms.ts'

const presets = [
  ['0 * * * *', 'Every hour'],
  ['0 9 * * *', 'Every day at 9'],
  ['0 9 * * 1-5', 'On weekdays at 9'],
  ['0 9 * * 1', 'Every Monday at 9'],
  ['0 9 1 * *', 'On the first of the month'],
] as const

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const maxNextRuns = 10

/** Fields for a schedule: presets that the plan allows, and a cron expression with a description and its next runs. */
export function CronField({ task }: { task: { schedule: string; timezone: string | null } | undefined }) {
  const [text, setText] = useState(task?.schedule ?? '0 9 * * 1')
  const [zone, setZone] = useState(task?.timezone ?? browserZone)
  const zones = useMemo(() => [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])], [])
  const terms = useTaskTerms()
  return (
    <fieldset>
      <legend>Schedule</legend>
      <div className="examples">
        {presets
          .filter(([cron]) => isAllowed(cron, terms))
          .map(([cron, label]) => (
            <Button size="xs" variant="default" key={cron} aria-pressed={cron === text} onClick={() => setText(cron)}>
              {label}
            </Button>
          ))}
      </div>
      {terms !== undefined && <PlanTerms terms={terms} />}
      <TextField
        name="schedule"
        label="Cron expression: minute, hour, day, month, weekday"
        required
        value={text}
        onChange={({ target }) => setText(target.value)}
        spellCheck={false}
      />
      <SelectField
        name="timezone"
        label="Time zone"
        value={zone}
        onChange={({ target }) => setZone(target.value)}
        data={zones}
      />
      <ScheduleDescription text={useDeferredValue(text)} zone={useDeferredValue(zone)} terms={terms} />
    </fieldset>
  )
}

function isAllowed(cron: string, terms: TaskTerms | undefined): boolean {
  const parsed = parseCron(cron)
  return terms === undefined || parsed === undefined || shortestIntervalMinutes(parsed) >= terms.minGapMinutes
}

function PlanTerms({ terms: { plan, minGapMinutes, isLargest } }: { terms: TaskTerms }) {
  return (
    <p className="quiet">
      A task runs {describeFrequency(minGapMinutes)} on the {plan} plan.{' '}
      {!isLargest && <Link to="/money">See the plans</Link>}
    </p>
  )
}

type DescriptionProps = { text: string; zone: string; terms: TaskTerms | undefined }

function ScheduleDescription({ text, zone, terms }: DescriptionProps) {
  const cron = useMemo(() => parseCron(text), [text])
  if (cron === undefined)
    return (
      <p className="inline-error" role="status">
        This cron expression is invalid or never fires. Use five fields with numbers, *, ranges or steps.
      </p>
    )
  const times = nextFires(cron, zone, new Date(), maxNextRuns)
  return (
    <div role="status">
      <p>
        <strong>{describeCron(text)}</strong>
      </p>
      {!isAllowed(text, terms) && (
        <p className="inline-error">This is more often than the {terms?.plan} plan allows.</p>
      )}
      <ol className="times">
        {times.map((time) => (
          <li key={time.getTime()}>
            {formatDateTime(time, zone)}
            {zone !== browserZone && <small> ({formatDateTime(time)} your time)</small>}
          </li>
        ))}
      </ol>
    </div>
  )
}
