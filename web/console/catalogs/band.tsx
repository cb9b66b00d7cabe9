import { money } from '../parts/words.tsx'

type Props = { low: number; mid: number; high: number }

/** Estimated value of a catalog: low, middle and high, in US dollars. */
export function Band({ low, mid, high }: Props) {
  const midPercent = high === low ? 50 : ((mid - low) / (high - low)) * 100
  return (
    <figure className="band">
      <div className="range" aria-hidden="true">
        <span className="middle" style={{ left: `${midPercent}%` }} />
      </div>
      <figcaption>
        <span>Low {money(low)}</span> <strong>Middle {money(mid)}</strong> <span>High {money(high)}</span>
      </figcaption>
    </figure>
  )
}
