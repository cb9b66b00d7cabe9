import { html, type Html } from '../../../../domain/pages/html.ts'
import type { PeerFigures } from '../../../../domain/site/figures.ts'

/** Names of the report's rows that the table shows as columns, with short titles. */
const columns = [
  ['afterKill', 'After kill -9, the reader has'],
  ['recovery', 'Next token after kill -9'],
  ['capacity', 'Tokens/s with p99 within 250 ms'],
  ['delay100p99', 'Added delay, 100 streams, p99'],
  ['firstToken', 'Request to first token'],
  ['memory', 'Memory at rest'],
] as const

type Row = PeerFigures['rows'][number]

/** Renders the measured comparison with other ways to build a chat, and how it was measured. */
export function peerTable({ measuredOn, rounds, peers, rows }: PeerFigures, serviceName: string): Html {
  const shownColumns = columns.flatMap(([name, title]) => {
    const row = rows.find((candidate) => candidate.name === name)
    return row === undefined ? [] : [{ row, title }]
  })
  return html`<section class="peers" aria-labelledby="peers">
    <h2 id="peers">The same chat turn, built with each</h2>
    <p>
      One turn, one fake model, one client, one machine: ${measuredOn}, the median of ${rounds} rounds. The best figure
      of each column is marked.
    </p>
    <div class="scroll" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Built with</th>
            ${shownColumns.map(({ title }) => html`<th scope="col">${title}</th> `)}
          </tr>
        </thead>
        <tbody>
          ${peers.map(
            ({ name }, index) =>
              html`<tr>
                <th scope="row">${index === 0 ? serviceName : name}</th>
                ${shownColumns.map(({ row }) => cell(row, index))}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
    <details>
      <summary>How each figure is measured, and the versions</summary>
      <dl>
        ${shownColumns.map(
          ({ row }) =>
            html`<dt>${row.title}</dt>
              <dd>${row.how}</dd> `,
        )}
        ${peers.map(
          ({ name, versions, setup }) =>
            html`<dt>${name}</dt>
              <dd>${versions}. ${setup.replaceAll('`', '')}.</dd> `,
        )}
      </dl>
    </details>
    <p>
      <small
        >The figures are those of <code>docs/change/bench.md</code>, which also states where another product is ahead
        and why. Measure them yourself: <code>npm run bench:peers</code>.</small
      >
    </p>
  </section>`
}

function cell(row: Row, index: number): Html {
  const { value, text } = row.cells[index] ?? { text: '' }
  if (value === undefined) return html`<td data-outcome="${text === 'whole' ? 'good' : 'bad'}">${text}</td> `
  return html`<td ${value === findBest(row) && html`data-best`}>${text}</td> `
}

function findBest({ better, cells }: Row): number | undefined {
  const values = cells.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return undefined
  return better === 'more' ? Math.max(...values) : Math.min(...values)
}
