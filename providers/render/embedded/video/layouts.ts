import type { Image, SKRSContext2D } from '@napi-rs/canvas'
import type { ContentTemplate } from '../../../../domain/content/templates/index.ts'
import { cover } from './picture.ts'

export type FrameSize = { width: number; height: number }
export type Box = { x: number; y: number; width: number; height: number }

type Draw = (ctx: SKRSContext2D) => void

/** Image and caption of a frame, in pixels, between a static background and an overlay. */
type Layout = { background: Draw; picture: Box; overlay: Draw; caption: Box & { anchor: 'top' | 'bottom' } }

type Content = { template: ContentTemplate; image: Image; hasCaption: boolean }

/** Margins that the controls of apps cover, as fractions of the frame. */
const safeMargins = { side: 0.08, top: 0.1, bottom: 0.2 }

/** Top of a caption over the image, below the usual position of faces. */
const captionTop = 0.48

export const layouts = { full, sleeve, editorial }

/** The image fills the frame, darker behind the caption. */
function full({ width, height }: FrameSize, { template, hasCaption }: Content): Layout {
  const [middle, low, bottom] = hasCaption ? [captionTop, 0.58, 0.72] : [0.7, 0.2, 0.3]
  const shades = { 0: 0.2, 0.16: 0, [middle]: 0, 0.8: low, 1: bottom }
  return {
    background: () => {},
    picture: { x: 0, y: 0, width, height },
    overlay: (ctx) => {
      const gradient = ctx.createLinearGradient(0, 0, 0, height)
      for (const [at, opacity] of Object.entries(shades)) gradient.addColorStop(Number(at), `rgba(0, 0, 0, ${opacity})`)
      for (const style of [template.tint, gradient]) {
        ctx.fillStyle = style
        ctx.fillRect(0, 0, width, height)
      }
    },
    caption: { ...placeBelow({ width, height }, height * captionTop, safeMargins.side), anchor: 'bottom' },
  }
}

/** A square image above its own blurred copy. */
function sleeve(frame: FrameSize, { image, hasCaption }: Content): Layout {
  const { width, height } = frame
  const side = width * 0.74
  const y = hasCaption ? height * 0.17 : (height * (1 + safeMargins.top - safeMargins.bottom) - side) / 2
  // Blurring a small copy and enlarging it gives a strong blur at low cost.
  const small = cover(image, width / 8, height / 8, `blur(${Math.round(width / 90)}px) saturate(1.25) brightness(0.45)`)
  return {
    background: (ctx) => ctx.drawImage(small, -width * 0.06, -height * 0.06, width * 1.12, height * 1.12),
    picture: { x: (width - side) / 2, y, width: side, height: side },
    overlay: () => {},
    caption: { ...placeBelow(frame, y + side + height * 0.035, 0.13), anchor: 'top' },
  }
}

/** A page of a magazine: the image, a line and the caption on paper. */
function editorial(frame: FrameSize, { hasCaption }: Content): Layout {
  const { width, height } = frame
  const [x, y] = [width * safeMargins.side, height * safeMargins.top]
  const share = hasCaption ? 0.48 : 1 - safeMargins.top - safeMargins.bottom
  return {
    background: (ctx) => {
      ctx.fillStyle = '#f1ede4'
      ctx.fillRect(0, 0, width, height)
    },
    picture: { x, y, width: width - 2 * x, height: height * share },
    overlay: (ctx) => {
      ctx.fillStyle = '#16130f'
      if (hasCaption) ctx.fillRect(x, y + height * (share + 0.03), width * 0.14, Math.max(2, height * 0.003))
    },
    caption: { ...placeBelow(frame, y + height * (share + 0.05), safeMargins.side), anchor: 'top' },
  }
}

/** Returns the area below a position, above the controls of apps. `margin`: fraction of the width on each side. */
function placeBelow({ width, height }: FrameSize, y: number, margin: number): Box {
  return { x: width * margin, y, width: width * (1 - 2 * margin), height: height * (1 - safeMargins.bottom) - y }
}
