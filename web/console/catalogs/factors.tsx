import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'

/** Constants of the valuation method, as documented in the guide. They are not configurable. */
const factors = [
  { name: 'Rate', low: '', mid: '$0.0035', high: '', meaning: 'Payout per stream on the streaming platform' },
  {
    name: 'Gross-up',
    low: '1.25',
    mid: '1.4',
    high: '1.6',
    meaning: 'Revenue from all platforms as a multiple of the streaming platform’s revenue',
  },
  { name: 'Distribution fee', low: '', mid: '15%', high: '', meaning: 'Share that the distributor keeps' },
  { name: 'Royalty share', low: '', mid: '25%', high: '', meaning: 'Share that goes to the artist' },
  {
    name: 'Multiple',
    low: '10',
    mid: '13',
    high: '16',
    meaning: 'Years of net revenue that a buyer of master rights pays',
  },
]

export function Factors() {
  return (
    <Section title="Valuation method">
      <p>
        The number of streams divided by the age of the catalog in years gives the streams of an average year. These
        factors convert the streams to a value.
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
          { name: 'Meaning', show: ({ meaning }) => <span className="sentence">{meaning}</span> },
        ]}
      />
      <p className="quiet">
        This is neither an offer nor an appraisal: it does not consider contracts, samples or territories.
      </p>
    </Section>
  )
}
