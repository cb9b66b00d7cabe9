import { createCanvas } from '@napi-rs/canvas'
import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas'
import { drawCaption } from './caption.ts'
import { cover } from './picture.ts'
import type { Template } from './templates.ts'

export type FrameSize = { width: number; height: number }
type Box = { x: number; y: number; width: number; height: number }

/** What apps cover with their own buttons and texts, as shares of the frame. */
const safe = { side: 0.08, top: 0.1, bottom: 0.2 }

/** The picture is kept a little larger than its place: room to move in without becoming soft. */
const reserve = 1.2

/** `share` is 0 at the first frame and 1 at the last; `pulse` 0 to 1 is how loud the voice is. */
export type Moment = { share: number; seconds: number; leftSeconds: number; pulse: number }

const mixOf = ([from, to]: readonly [number, number], share: number): number => from + (to - from) * share
/** Slow at both ends. */
const ease = (share: number): number => share * share * (3 - 2 * share)
const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/** Draws the picture into its box, where the template's camera is at this moment. */
const drawMoving = (
  ctx: SKRSContext2D,
  picture: Canvas,
  box: Box,
  template: Template,
  { share, pulse }: Moment,
): void => {
  const at = ease(share) * 0.6 + share * 0.4
  const zoom = mixOf(template.zoom, at) * (1 + 0.022 * pulse)
  const [width, height] = [box.width * zoom, box.height * zoom]
  const [[fromX, fromY], [toX, toY]] = template.pan
  const x = box.x - ((width - box.width) / 2) * (1 + mixOf([fromX, toX], at))
  const y = box.y - ((height - box.height) / 2) * (1 + mixOf([fromY, toY], at))
  ctx.save()
  ctx.beginPath()
  ctx.rect(box.x, box.y, box.width, box.height)
  ctx.clip()
  ctx.drawImage(picture, x, y, width, height)
  ctx.restore()
}

const shade = (
  ctx: SKRSContext2D,
  { width, height }: FrameSize,
  stops: readonly (readonly [number, number])[],
): void => {
  const gradient = ctx.createLinearGradient(0, 0, 0, height)
  for (const [at, alpha] of stops) gradient.addColorStop(at, `rgba(0, 0, 0, ${alpha})`)
  ctx.fillStyle = gradient
  ctx.fillRect(0, 0, width, height)
}

type Stage = {
  /** What is behind everything and never moves. */
  background(ctx: SKRSContext2D): void
  picture: Box
  /** Between picture and caption. */
  overlay(ctx: SKRSContext2D): void
  caption: Box & { anchor: 'top' | 'bottom'; colour: string; shadow: boolean; fontSize: number }
}

const full = (frame: FrameSize, template: Template): Stage => {
  const { width, height } = frame
  const side = width * safe.side
  return {
    background: () => {},
    picture: { x: 0, y: 0, width, height },
    overlay: (ctx) => {
      ctx.fillStyle = template.tint
      ctx.fillRect(0, 0, width, height)
      shade(ctx, frame, [
        [0, 0.22],
        [0.16, 0],
        [0.46, 0],
        [0.8, 0.58],
        [1, 0.72],
      ])
    },
    caption: {
      x: side,
      y: height * 0.4,
      width: width - 2 * side,
      height: height * (1 - safe.bottom - 0.4),
      anchor: 'bottom',
      colour: '#ffffff',
      shadow: true,
      fontSize: width * 0.074,
    },
  }
}

const sleeve = (frame: FrameSize, _template: Template, image: Image): Stage => {
  const { width, height } = frame
  const side = width * 0.74
  const box = { x: (width - side) / 2, y: height * 0.17, width: side, height: side }
  // A picture that is blurred small and enlarged is blurred far, for little work.
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
      height: height * (1 - safe.bottom) - (box.y + side + height * 0.035),
      anchor: 'top',
      colour: '#ffffff',
      shadow: true,
      fontSize: width * 0.062,
    },
  }
}

const editorial = ({ width, height }: FrameSize): Stage => {
  const side = width * safe.side
  const box = { x: side, y: height * safe.top, width: width - 2 * side, height: height * 0.48 }
  const below = box.y + box.height
  return {
    background: (ctx) => {
      ctx.fillStyle = '#f1ede4'
      ctx.fillRect(0, 0, width, height)
    },
    picture: box,
    overlay: (ctx) => {
      ctx.fillStyle = '#16130f'
      ctx.fillRect(side, below + height * 0.03, width * 0.14, Math.max(2, height * 0.003))
    },
    caption: {
      x: side,
      y: below + height * 0.05,
      width: box.width,
      height: height * (1 - safe.bottom) - below - height * 0.05,
      anchor: 'top',
      colour: '#16130f',
      shadow: false,
      fontSize: width * 0.078,
    },
  }
}

const stages = { full, sleeve, editorial }

const still = ({ width, height }: FrameSize, draw: (ctx: SKRSContext2D) => void): Canvas => {
  const canvas = createCanvas(width, height)
  draw(canvas.getContext('2d'))
  return canvas
}

export type Scene = {
  frame: FrameSize
  template: Template
  image: Image
  caption: string
  fadeInSeconds: number
  fadeOutSeconds: number
}

/** Draws one moment after the other; each answer is the frame in RGBA, valid until the next call. */
export const createStage = (scene: Scene): ((moment: Moment) => Buffer) => {
  const { frame, template, image } = scene
  const stage = stages[template.layout](frame, template, image)
  const { picture: box, caption: place } = stage
  const background = still(frame, (ctx) => stage.background(ctx))
  const overlay = still(frame, (ctx) => stage.overlay(ctx))
  const picture = cover(image, box.width * reserve, box.height * reserve, template.grade)
  const { width, height: maxHeight, fontSize, colour, shadow } = place
  const caption = drawCaption(scene.caption, {
    width: Math.floor(width),
    maxHeight,
    fontSize,
    align: template.align,
    colour,
    shadow,
  })
  const canvas = createCanvas(frame.width, frame.height)
  const ctx = canvas.getContext('2d')

  const drawText = ({ seconds, share }: Moment): void => {
    if (caption === undefined) return
    const shown = share === 1 ? 1 : ease(clamp((seconds - 0.2) / 0.5))
    const x = place.x - (caption.width - width) / 2
    const edge = (caption.width - width) / 2
    const y = place.anchor === 'top' ? place.y - edge : place.y + place.height - caption.height + edge
    ctx.globalAlpha = shown
    ctx.drawImage(caption, x, y + (1 - shown) * frame.height * 0.012)
    ctx.globalAlpha = 1
  }

  return (moment) => {
    ctx.drawImage(background, 0, 0)
    drawMoving(ctx, picture, box, template, moment)
    ctx.drawImage(overlay, 0, 0)
    drawText(moment)
    const dark = Math.max(
      1 - clamp(moment.seconds / scene.fadeInSeconds),
      1 - clamp(moment.leftSeconds / scene.fadeOutSeconds),
    )
    if (dark > 0) {
      ctx.fillStyle = `rgba(0, 0, 0, ${dark})`
      ctx.fillRect(0, 0, frame.width, frame.height)
    }
    return canvas.data()
  }
}
