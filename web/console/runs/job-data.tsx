import { Output } from '../parts/output.tsx'
import { Section } from '../parts/page.tsx'

type Job = { payload?: unknown; output?: unknown; metadata?: unknown; version?: string }

/** Payload, output and metadata of a job, as JSON. */
export function JobData({ job }: { job: Job }) {
  const sections = [
    ['Input', job.payload],
    ['Output', job.output],
    ['Progress', job.metadata],
  ] as const
  return (
    <Section title="Data">
      {sections.map(([name, value]) =>
        value === null || value === undefined ? null : (
          <details key={name} open>
            <summary>{name}</summary>
            <Output text={JSON.stringify(value, null, 2)} />
          </details>
        ),
      )}
    </Section>
  )
}
