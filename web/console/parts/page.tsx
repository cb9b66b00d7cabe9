import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSetPageTitle } from './title.ts'

type Props = { title: string; children: ReactNode; actions?: ReactNode }

export function Page({ title, children, lead, actions }: Props & { lead?: ReactNode }) {
  useSetPageTitle(title)
  return (
    <div className="page">
      <Head title={title} order={1} actions={actions} />
      {lead !== undefined && (
        <Text c="dimmed" className="lead">
          {lead}
        </Text>
      )}
      {children}
    </div>
  )
}

export function Section({ title, children, actions }: Props) {
  return (
    <section className="card">
      <Head title={title} order={2} actions={actions} />
      {children}
    </section>
  )
}

/** Title of a page or section with its buttons. */
export function Head({ title, order, actions }: { title: string; order: 1 | 2; actions: ReactNode }) {
  return (
    <header className="page-head">
      <Title order={order}>{title}</Title>
      {actions !== undefined && <div className="buttons">{actions}</div>}
    </header>
  )
}

/** Highlighted message, which screen readers announce. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="notice" role="status">
      {children}
    </div>
  )
}

/** Collapsed part of a page, such as the form of a new entry. */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="fold">
      <summary>{title}</summary>
      {children}
    </details>
  )
}

type FactsProps = { facts: readonly (readonly [name: string, value: ReactNode])[]; className?: string }

/** List of names and values. */
export function Facts({ facts, className }: FactsProps) {
  return (
    <dl className={className}>
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
export function Figures({ figures }: { figures: FactsProps['facts'] }) {
  return <Facts facts={figures} className="figures" />
}
