type Band = { low: number; mid: number; high: number }

const width = 60

/** Formats an amount in whole dollars. */
export function dollars(usd: number): string {
  return `$${Math.round(usd).toLocaleString('en-US')}`
}

/** Draws the band on a line from zero to its upper end, with the amounts below. */
export function drawBand({ low, mid, high }: Band): string[] {
  const at = (usd: number): number => (high === 0 ? 0 : Math.round((usd / high) * width))
  const line = Array.from<unknown, string>({ length: width + 1 }, (_, column) => (column < at(low) ? '·' : '█'))
  line[at(low)] = '├'
  line[at(mid)] = '┼'
  line[at(high)] = '┤'
  return [line.join(''), `low ${dollars(low)}   middle ${dollars(mid)}   high ${dollars(high)}`]
}
