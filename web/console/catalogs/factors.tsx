import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'

/** As the guide to valuations has them; no setting changes them. */
const factors = [
  { name: 'Rate', low: '', mid: '$0.0035', high: '', what: 'What the streaming platform pays for a stream' },
  { name: 'Gross-up', low: '1.25', mid: '1.4', high: '1.6', what: 'What all platforms together bring, over this one' },
  { name: 'Distribution fee', low: '', mid: '15%', high: '', what: 'Share that the distributor keeps' },
  { name: 'Royalty share', low: '', mid: '25%', high: '', what: 'Share that goes to the artist' },
  { name: 'Multiple', low: '10', mid: '13', high: '16', what: 'Years of net revenue that buyers of masters pay' },
]

export function Factors() {
  return (
    <Section title="How it is computed">
      <p>
        Streams, divided by the age of the catalog in years, make an average year. The rest follows from these factors.
      </p>
      <Table
        caption="Factors"
        rows={factors}
        rowKey={({ name }) => name}
        columns={[
          { name: 'Factor', show: ({ name }) => name },
          { name: 'Low', show: ({ low }) => low, isNumber: true },
          { name: 'Middle', show: ({ mid }) => mid, isNumber: true },
          { name: 'High', show: ({ high }) => high, isNumber: true },
          { name: 'What it stands for', show: ({ what }) => what },
        ]}
      />
      <p className="quiet">It is no offer and no appraisal: it knows nothing of contracts, samples and territories.</p>
    </Section>
  )
}
