import { useEffect, useRef, useState } from 'react'
import UPlot, { type Options, type Series } from 'uplot'

type Line = { name: string; values: (number | null)[] }

export type PlotProps = {
  /** Unix times, in seconds. */
  times: number[]
  lines: Line[]
  label: string
  format: (value: number) => string
  bars?: boolean
}

/** Chart of values over time, with a table of the same values for screen readers. */
export function Plot({ times, lines, label, format, bars = false }: PlotProps) {
  const container = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = container.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const data = JSON.stringify([times, lines])
  useEffect(() => {
    if (container.current === null || width === 0) return undefined
    const plot = new UPlot(
      buildOptions({ lines, format, bars, width, colors: readColors(container.current) }),
      [times, ...lines.map(({ values }) => values)],
      container.current,
    )
    return () => plot.destroy()
  }, [data, width, bars])
  return (
    <figure className="chart" aria-label={label}>
      <div ref={container} aria-hidden="true" />
      <details>
        <summary className="quiet">Show as a table</summary>
        <div className="scroll" role="region" aria-label={label} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time}>
                  <td>{new Date(time * 1000).toLocaleString('en')}</td>
                  {lines.map(({ name, values }) => {
                    const value = values[index]
                    return <td key={name}>{value === null || value === undefined ? '–' : format(value)}</td>
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

type Colors = { text: string; line: string; series: string[] }

function readColors(element: HTMLElement): Colors {
  const style = getComputedStyle(element)
  const read = (name: string): string => style.getPropertyValue(name).trim()
  return {
    text: read('--mantine-color-dimmed'),
    line: read('--mantine-color-default-border'),
    series: ['brand', 'blue', 'green'].map((color) => read(`--mantine-color-${color}-5`)),
  }
}

type PlotSettings = Pick<PlotProps, 'lines' | 'format'> & { bars: boolean; width: number; colors: Colors }

function buildOptions({ lines, format, bars, width, colors }: PlotSettings): Options {
  const axis = {
    stroke: colors.text,
    font: '12px Inter, sans-serif',
    grid: { stroke: colors.line, width: 1 },
    ticks: { stroke: colors.line, width: 1 },
  }
  const barPaths = UPlot.paths.bars?.({ size: [0.7, 40] })
  return {
    width,
    height: 220,
    cursor: { y: false },
    scales: {
      ...(bars && { x: { range: (_, min, max) => widenRange(min, max, lines[0]?.values.length ?? 1) } }),
      y: { range: (_, min, max) => [Math.min(0, min), max <= 0 ? 1 : max * 1.1] },
    },
    axes: [axis, { ...axis, size: 84, values: (_, values) => formatTicks(values, format) }],
    series: [
      {},
      ...lines.map(({ name }, index): Series => ({
        label: name,
        stroke: colors.series[index % colors.series.length] ?? colors.text,
        width: 2,
        spanGaps: true,
        value: (_, value) => (value === null ? '–' : format(value)),
        ...(bars &&
          barPaths && {
            points: { show: false },
            paths: barPaths,
            fill: colors.series[index % colors.series.length] ?? colors.text,
          }),
      })),
    ],
  }
}

/** Formats the ticks of an axis. A label is empty if rounding makes it equal to the previous label. */
function formatTicks(values: number[], format: (value: number) => string): string[] {
  const labels = values.map(format)
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label))
}

/** Extends the range of the time axis by half a bar on both sides. */
function widenRange(min: number, max: number, barCount: number): [number, number] {
  const halfBar = (max - min) / Math.max(1, barCount - 1) / 2 || 1800
  return [min - halfBar, max + halfBar]
}
