import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

const integerFormat = new Intl.NumberFormat('en')
const compactFormat = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const usdFormat = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const wholeUsdFormat = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const dateTimeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const creditsPerDollar = 1_000_000

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : integerFormat.format(value)
}

/** Formats a number of things, such as “1 song” or “2 songs”. */
export function countOf(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`
}

export function compact(value: number): string {
  return compactFormat.format(value)
}

export function money(usd: number): string {
  return Math.abs(usd) >= 1000 ? wholeUsdFormat.format(usd) : usdFormat.format(usd)
}

/** Formats credits as US dollars. One credit is a millionth of a dollar. */
export function formatCredits(credits: number): string {
  const usd = Math.round(credits) / creditsPerDollar
  return usd !== 0 && Math.abs(usd) < 0.01 ? `$${usd.toFixed(6).replace(/0+$/, '')}` : usdFormat.format(usd)
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`
}

export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10))
  return `${integerFormat.format(Math.round(value / 1024 ** power))} ${units[power]}`
}

/** Relative time, with the exact time as a tooltip. */
export function Time({ at }: { at: string | number | Date | null | undefined }) {
  if (at === null || at === undefined) return <>–</>
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={dateTimeFormat.format(date)}>
      {formatRelativeTime(date.getTime() - Date.now())}
    </time>
  )
}

export function formatDateTime(at: string | number | Date, zone?: string): string {
  return zone === undefined
    ? dateTimeFormat.format(new Date(at))
    : new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(new Date(at))
}

const colors: Record<string, string> = {
  completed: 'green',
  done: 'green',
  active: 'green',
  alive: 'green',
  ok: 'green',
  paid: 'green',
  ready: 'green',
  connected: 'green',
  failed: 'red',
  crashed: 'red',
  lost: 'red',
  system_failure: 'red',
  mismatch: 'red',
  running: 'blue',
  executing: 'blue',
  processing: 'blue',
  retrying: 'blue',
  reattempting: 'blue',
  answering: 'blue',
  unread: 'brand',
  'waiting for you': 'yellow',
}

export function Status({ of: status }: { of: string }): ReactNode {
  const label = status.toLowerCase()
  const color = colors[label] ?? 'gray'
  return (
    <Badge color={color} className={`status ${color === 'blue' ? 'live' : ''}`}>
      {label.replaceAll('_', ' ')}
    </Badge>
  )
}

type RunState = { status: string; isWaiting: boolean }

/** Returns the status of a run. A run with an open question or approval is waiting for the user. */
export function formatRunStatus({ status, isWaiting }: RunState): string {
  return isWaiting ? 'waiting for you' : status
}

export function RunStatus({ run }: { run: RunState }) {
  return <Status of={formatRunStatus(run)} />
}

function formatRelativeTime(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const steps = [
    [60, 'second', 1],
    [3600, 'minute', 60],
    [86_400, 'hour', 3600],
    [30 * 86_400, 'day', 86_400],
    [365 * 86_400, 'month', 30 * 86_400],
  ] as const
  const size = Math.abs(seconds)
  for (const [limit, unit, unitSeconds] of steps)
    if (size < limit) return relativeFormat.format(Math.round(seconds / unitSeconds), unit)
  return relativeFormat.format(Math.round(seconds / (365 * 86_400)), 'year')
}
