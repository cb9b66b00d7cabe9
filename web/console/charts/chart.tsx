import { lazy, Suspense } from 'react'
import type { PlotProps } from './plot.tsx'

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }))

/** Chart of values over time. Its library is loaded when the first chart is shown. */
export function Chart(props: PlotProps) {
  return (
    <Suspense fallback={<figure className="chart" aria-label={props.label} aria-busy />}>
      <Plot {...props} />
    </Suspense>
  )
}
