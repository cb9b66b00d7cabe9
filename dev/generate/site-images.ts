import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { markFile } from '../../domain/pages/mark.ts'
import { CommandRefusedError, print } from '../say.ts'
import { launchChromium } from '../system/chromium.ts'

type Image = { name: string; width: number; height: number; markup: string }

/** `npm run images`: draws the icons of the site and the image of its link previews. */
export async function main(): Promise<void> {
  const browser = await launchChromium()
  if (browser === undefined) throw new CommandRefusedError('The images need Chromium.')
  try {
    for (const image of images) await draw(browser, image)
  } finally {
    await browser.close()
  }
  print(`Drew ${images.map(({ name }) => `web/site/${name}`).join(', ')}.`)
}

async function draw(browser: Browser, { name, width, height, markup }: Image): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<!doctype html><style>body { margin: 0 } svg { display: block }</style>${markup}`)
  const path = fileURLToPath(new URL(`../../web/site/${name}`, import.meta.url))
  await page.screenshot({ path, omitBackground: true })
  await page.close()
}

const icon = (size: number): string => markFile.replace('<svg ', `<svg width="${size}" height="${size}" `)

/** Platforms that display this icon round its corners. */
const touchIcon = icon(180).replace('rx="8"', '')

const lane = (y: number, from: number, to: number, color: string): string =>
  `<rect x="80" y="${y}" width="1040" height="22" rx="11" fill="#2b2d33"/><rect x="${from}" y="${y}" width="${to - from}" height="22" rx="11" fill="${color}"/>`

const card = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Inter, 'Helvetica Neue', 'DejaVu Sans', sans-serif">
  <rect width="1200" height="630" fill="#16171a"/>
  <g transform="translate(80 76)">${icon(84)}</g>
  <text x="80" y="262" font-size="60" font-weight="700" fill="#fff" letter-spacing="-1.5">Agents that must not lose work</text>
  <text x="80" y="326" font-size="29" fill="#a5aab3">A killed worker, and the answer continues. On your own machines.</text>
  ${lane(420, 80, 520, '#ff9b94')}${lane(470, 560, 1120, '#8fd6a0')}${lane(520, 80, 1120, '#f4ae7c')}
</svg>`

const images: Image[] = [
  { name: 'icon-32.png', width: 32, height: 32, markup: icon(32) },
  { name: 'touch-icon.png', width: 180, height: 180, markup: touchIcon },
  { name: 'card.png', width: 1200, height: 630, markup: card },
]
