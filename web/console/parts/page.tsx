import { Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { serviceName } from '../access/settings.ts'
import { createStore } from '../access/store.ts'

type Props = { title: string; children: ReactNode; lead?: ReactNode; actions?: ReactNode }

export function Page({ title, children, lead, actions }: Props) {
  useSetPageTitle(title)
  return (
    <div className="page">
      <header className="page-head">
        <Title order={1}>{title}</Title>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </header>
      {lead !== undefined && (
        <Text c="dimmed" className="lead">
          {lead}
        </Text>
      )}
      {children}
    </div>
  )
}

const currentTitle = createStore('')

export function useSetPageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${serviceName}`
    currentTitle.set(title)
  }, [title])
}

/** Returns the title of the current page. */
export function usePageTitle(): string {
  return currentTitle.use()
}

export function Section({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <section className="card">
      <header className="page-head">
        <Title order={2}>{title}</Title>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** List of names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Key figures in large type. */
export function Figures({ figures }: { figures: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
