import { Title } from '@mantine/core'
import IconX from '@tabler/icons-react/icons/IconX'
import { useEffect, useRef } from 'react'
import { IconButton } from '../../parts/buttons/icon-button.tsx'
import { Facts } from '../../parts/page.tsx'
import { count, duration, formatDateTime, Status } from '../../parts/words.tsx'
import { describeEntry, type Row } from './entries.ts'
import { EntryText } from './entry-text.tsx'

type Props = { row: Row; onClose: () => void }

/** Input and output of a step or call, beside the timeline. On a narrow screen, the panel covers the page. */
export function EntryPanel({ row, onClose }: Props) {
  const { entry, runId } = row
  const { kind, status, error } = entry
  const panel = useFocusOnChange(`${runId}/${entry.id}`)
  useEscape(onClose)
  return (
    <section className="entry-panel" id="entry" aria-label={describeEntry(entry)} tabIndex={-1} ref={panel}>
      <header>
        <Title order={3} size="h4">
          {describeEntry(entry)} <Status of={status} />
        </Title>
        <IconButton label="Close" Icon={IconX} onClick={onClose} />
      </header>
      {error !== null && (
        <p className="inline-error">
          {error.name}: {error.message}
        </p>
      )}
      <Facts facts={toFacts(row)} />
      {kind === 'step' && <StepTexts row={row} />}
      {kind === 'tool' && (
        <>
          <EntryText title="Input" runId={runId} entryId={entry.id} part="input" />
          <EntryText title="Output" runId={runId} entryId={entry.id} part="output" />
        </>
      )}
    </section>
  )
}

/** Texts of a step. A step of a sub-agent has no texts, and a running step has none yet. */
function StepTexts({ row: { entry, runId } }: { row: Row }) {
  if (!/^step:\d+$/.test(entry.id)) return <p className="quiet">The answer of a sub-agent is the output of its call.</p>
  if (entry.endedAt === null) return <p className="quiet">The prompt and the answer appear when the step ends.</p>
  return (
    <>
      <EntryText
        title={entry.name === '1' ? 'Prompt' : 'Added to the prompt'}
        runId={runId}
        entryId={entry.id}
        part="input"
      />
      <EntryText title="Reasoning" runId={runId} entryId={entry.id} part="reasoning" isOptional />
      <EntryText title="Answer" runId={runId} entryId={entry.id} part="output" empty="The model returned no text." />
    </>
  )
}

function toFacts({ entry: { startedAt, durationMs, attempt, model } }: Row) {
  const facts = [
    ['Started', startedAt === null ? null : formatDateTime(startedAt)],
    ['Duration', durationMs === null ? null : duration(durationMs)],
    ['Attempt', attempt === null ? null : String(attempt)],
    ['Model', model?.modelId],
    ['Time to first output', typeof model?.firstOutputMs === 'number' ? duration(model.firstOutputMs) : null],
    ['Input tokens', model && `${count(model.inputTokens)} (${count(model.cachedInputTokens)} cached)`],
    ['Output tokens', model && count(model.outputTokens)],
    ['Cost', typeof model?.costUsd === 'string' ? formatCost(Number(model.costUsd)) : null],
    ['Finish reason', model?.finishReason],
  ] as const
  return facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
}

function formatCost(usd: number): string {
  return usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`
}

/** Moves the focus into the panel when it opens, and back to the row when it closes. */
function useFocusOnChange(key: string) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const previous = document.activeElement
    panel.current?.focus({ preventScroll: true })
    return () => {
      if (previous instanceof HTMLElement && previous.isConnected) previous.focus({ preventScroll: true })
    }
  }, [key])
  return panel
}

/** Calls `onClose` on Escape regardless of the focus, because the focused button may no longer exist. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role=dialog]') === null)
        onClose()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [onClose])
}
