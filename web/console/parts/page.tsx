import { useEffect, type ReactNode } from 'react'
import { serviceName } from '../access/settings.ts'

type Props = { title: string; children: ReactNode; lead?: ReactNode; actions?: ReactNode }

export function Page({ title, children, lead, actions }: Props) {
  useTitle(title)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title}</h1>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </header>
      {lead !== undefined && <p className="lead">{lead}</p>}
      {children}
    </div>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${serviceName}`
  }, [title])
}

export function Section({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <section>
      <header className="page-head">
        <h2>{title}</h2>
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

/** Key figures, shown large. */
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
