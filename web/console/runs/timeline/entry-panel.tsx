import { Title } from '@mantine/core'
import IconX from '@tabler/icons-react/icons/IconX'
import { useEffect, useRef } from 'react'
import { IconButton } from '../../parts/icon-button.tsx'
import { Facts } from '../../parts/page.tsx'
import { count, duration, exactly, Status } from '../../parts/words.tsx'
import { entryInWords, type Row } from './entries.ts'
import { EntryText } from './entry-text.tsx'

type Props = { row: Row; onClose: () => void }

/** What a step or a call got and returned, beside the timeline; on a narrow screen it covers the page. */
export function EntryPanel({ row, onClose }: Props) {
  const { entry, runId } = row
  const { kind, status, error } = entry
  const panel = useFocusOnChange(`${runId}/${entry.id}`)
  useEscape(onClose)
  return (
    <section className="entry-panel" id="entry" aria-label={entryInWords(entry)} tabIndex={-1} ref={panel}>
      <header>
        <Title order={3} size="h4">
          {entryInWords(entry)} <Status of={status} />
        </Title>
        <IconButton label="Close" Icon={IconX} onClick={onClose} />
      </header>
      {error !== null && (
        <p className="wrong">
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

/** The steps of sub-agents keep no texts, and an open step has none yet. */
function StepTexts({ row: { entry, runId } }: { row: Row }) {
  if (!/^step:\d+$/.test(entry.id)) return <p className="quiet">The answer of a sub-agent is the output of its call.</p>
  if (entry.endedAt === null)
    return <p className="quiet">The prompt and the answer are shown when the step has ended.</p>
  return (
    <>
      <EntryText
        title={entry.name === '1' ? 'Prompt' : 'Added to the prompt'}
        runId={runId}
        entryId={entry.id}
        part="input"
      />
      <EntryText title="Reasoning" runId={runId} entryId={entry.id} part="reasoning" isOptional />
      <EntryText title="Answer" runId={runId} entryId={entry.id} part="output" empty="It wrote no text." />
    </>
  )
}

function toFacts({ entry: { startedAt, durationMs, attempt, model } }: Row) {
  const all = [
    ['Started', startedAt === null ? null : exactly(startedAt)],
    ['Took', durationMs === null ? null : duration(durationMs)],
    ['Attempt', attempt === null ? null : String(attempt)],
    ['Model', model?.modelId],
    ['First output after', typeof model?.firstOutputMs === 'number' ? duration(model.firstOutputMs) : null],
    ['Tokens in', model && `${count(model.inputTokens)} (${count(model.cachedInputTokens)} cached)`],
    ['Tokens out', model && count(model.outputTokens)],
    ['Cost', typeof model?.costUsd === 'string' ? costInWords(Number(model.costUsd)) : null],
    ['Ended as', model?.finishReason],
  ] as const
  return all.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]))
}

function costInWords(usd: number): string {
  return usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`
}

/** Moves the focus into the panel when it opens, and back to the row when it closes. */
function useFocusOnChange(key: string) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [key])
  return panel
}

/** Closes on Escape wherever the focus is, because the focused button may have gone. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role=dialog]') === null)
        onClose()
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [onClose])
}
