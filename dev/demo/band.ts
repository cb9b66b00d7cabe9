type Band = { low: number; mid: number; high: number }

const width = 60

/** Formats an amount in whole dollars. */
export function formatDollars(usd: number): string {
  return `$${Math.round(usd).toLocaleString('en-US')}`
}

/** Draws the band on a line from zero to its upper end, and formats the amounts on a second line. */
export function drawBand({ low, mid, high }: Band): string[] {
  const column = (usd: number): number => (high === 0 ? 0 : Math.round((usd / high) * width))
  const line = Array.from<unknown, string>({ length: width + 1 }, (_, index) => (index < column(low) ? '·' : '█'))
  line[column(low)] = '├'
  line[column(mid)] = '┼'
  line[column(high)] = '┤'
  return [line.join(''), `low ${formatDollars(low)}   middle ${formatDollars(mid)}   high ${formatDollars(high)}`]
}
