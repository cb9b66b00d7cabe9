import { money } from '../parts/words.tsx'

type Props = { low: number; mid: number; high: number }

const width = 640
const left = 60
const right = 580

/** What a catalog may be worth: a range with its middle. */
export function Band({ low, mid, high }: Props) {
  const place = (value: number): number =>
    high === low ? (left + right) / 2 : left + ((value - low) / (high - low)) * (right - left)
  const points = [
    { name: 'Low', value: low, at: left },
    { name: 'Middle', value: mid, at: place(mid) },
    { name: 'High', value: high, at: right },
  ]
  return (
    <figure className="band">
      <svg
        viewBox={`0 0 ${width} 90`}
        role="img"
        aria-label={`Between ${money(low)} and ${money(high)}, in the middle ${money(mid)}`}
      >
        <rect className="range" x={left} y={36} width={right - left} height={18} rx={4} />
        <line className="middle" x1={place(mid)} x2={place(mid)} y1={30} y2={60} />
        {points.map(({ name, value, at }) => (
          <g key={name} textAnchor="middle">
            <text x={at} y={22}>
              {money(value)}
            </text>
            <text x={at} y={78}>
              {name}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}
