import type { Image, SKRSContext2D } from '@napi-rs/canvas'
import type { ContentTemplate } from '../../../../domain/content/templates/index.ts'
import { cover } from './picture.ts'

export type FrameSize = { width: number; height: number }
export type Box = { x: number; y: number; width: number; height: number }

/** Margins that the controls of apps cover, as fractions of the frame. */
const safeMargins = { side: 0.08, top: 0.1, bottom: 0.2 }

/** Top of a caption over the image, below the usual position of faces. */
const captionTop = 0.48

/** Positions and drawing functions of a frame. Positions are in pixels. */
export type Layout = {
  /** Draws the static background. */
  background(ctx: SKRSContext2D): void
  picture: Box
  /** Draws the layer between image and caption. */
  overlay(ctx: SKRSContext2D): void
  caption: Box & { anchor: 'top' | 'bottom' }
}

const layouts = { full, sleeve, editorial }

type Content = { template: ContentTemplate; image: Image; hasCaption: boolean }

export function layOut(frame: FrameSize, content: Content): Layout {
  return layouts[content.template.layout](frame, content)
}

function full(frame: FrameSize, { template, hasCaption }: Content): Layout {
  const { width, height } = frame
  const side = width * safeMargins.side
  return {
    background: () => {},
    picture: { x: 0, y: 0, width, height },
    overlay: (ctx) => {
      ctx.fillStyle = template.tint
      ctx.fillRect(0, 0, width, height)
      shade(ctx, frame, hasCaption ? captionShade : vignette)
    },
    caption: {
      x: side,
      y: height * captionTop,
      width: width - 2 * side,
      height: height * (1 - safeMargins.bottom - captionTop),
      anchor: 'bottom',
    },
  }
}

const captionShade = [
  [0, 0.22],
  [0.16, 0],
  [0.46, 0],
  [0.8, 0.58],
  [1, 0.72],
] as const
const vignette = [
  [0, 0.16],
  [0.16, 0],
  [0.7, 0],
  [1, 0.3],
] as const

function shade(ctx: SKRSContext2D, { width, height }: FrameSize, stops: readonly (readonly [number, number])[]): void {
  const gradient = ctx.createLinearGradient(0, 0, 0, height)
  for (const [at, alpha] of stops) gradient.addColorStop(at, `rgba(0, 0, 0, ${alpha})`)
  ctx.fillStyle = gradient
  ctx.fillRect(0, 0, width, height)
}

function sleeve(frame: FrameSize, { image, hasCaption }: Content): Layout {
  const { width, height } = frame
  const side = width * 0.74
  const top = hasCaption ? height * 0.17 : (height * (1 + safeMargins.top - safeMargins.bottom) - side) / 2
  const box = { x: (width - side) / 2, y: top, width: side, height: side }
  // Blurring a small copy and enlarging it gives a strong blur at low cost.
  const small = cover(image, width / 8, height / 8, `blur(${Math.round(width / 90)}px) saturate(1.25) brightness(0.55)`)
  return {
    background: (ctx) => {
      ctx.drawImage(small, -width * 0.06, -height * 0.06, width * 1.12, height * 1.12)
      shade(ctx, frame, [
        [0, 0.15],
        [0.5, 0.1],
        [1, 0.55],
      ])
      ctx.save()
      ctx.shadowColor = 'rgba(0, 0, 0, 0.6)'
      ctx.shadowBlur = width * 0.07
      ctx.shadowOffsetY = width * 0.03
      ctx.fillStyle = '#111111'
      ctx.fillRect(box.x, box.y, box.width, box.height)
      ctx.restore()
    },
    picture: box,
    overlay: (ctx) => {
      ctx.strokeStyle = 'rgba(255, 255, 255, 0.14)'
      ctx.lineWidth = Math.max(1, width / 540)
      ctx.strokeRect(box.x, box.y, box.width, box.height)
    },
    caption: {
      x: box.x,
      y: box.y + side + height * 0.035,
      width: side,
      height: height * (1 - safeMargins.bottom) - (box.y + side + height * 0.035),
      anchor: 'top',
    },
  }
}

function editorial({ width, height }: FrameSize, { hasCaption }: Content): Layout {
  const side = width * safeMargins.side
  const box = {
    x: side,
    y: height * safeMargins.top,
    width: width - 2 * side,
    height: height * (hasCaption ? 0.48 : 1 - safeMargins.top - safeMargins.bottom),
  }
  const below = box.y + box.height
  return {
    background: (ctx) => {
      ctx.fillStyle = '#f1ede4'
      ctx.fillRect(0, 0, width, height)
    },
    picture: box,
    overlay: (ctx) => {
      if (!hasCaption) return
      ctx.fillStyle = '#16130f'
      ctx.fillRect(side, below + height * 0.03, width * 0.14, Math.max(2, height * 0.003))
    },
    caption: {
      x: side,
      y: below + height * 0.05,
      width: box.width,
      height: height * (1 - safeMargins.bottom) - below - height * 0.05,
      anchor: 'top',
    },
  }
}
