import { createCanvas, type Canvas, type Image, type SKRSContext2D } from '@napi-rs/canvas'
import type { ContentTemplate } from '../../../../domain/content/templates/index.ts'
import { drawCaption } from './caption.ts'
import { layOut, type Box, type FrameSize } from './layouts.ts'
import { cover } from './picture.ts'

/** Scale of the stored image relative to its area, so that zooming does not lose sharpness. */
const resolutionReserve = 1.2

/** Time of a frame. `share` is 0 at the first frame and 1 at the last. `pulse` is the loudness of the voice, 0 to 1. */
export type Moment = { share: number; seconds: number; leftSeconds: number; pulse: number }

export type Scene = {
  frame: FrameSize
  template: ContentTemplate
  image: Image
  caption: string
  fadeInSeconds: number
  fadeOutSeconds: number
}

/** Creates a function that draws a frame. Its RGBA buffer is valid until the next call. */
export function createStage(scene: Scene): (moment: Moment) => Buffer {
  const { frame, template, image } = scene
  const layout = layOut(frame, { template, image, hasCaption: scene.caption.trim() !== '' })
  const { picture: box, caption: place } = layout
  const background = drawStill(frame, (ctx) => layout.background(ctx))
  const overlay = drawStill(frame, (ctx) => layout.overlay(ctx))
  const picture = cover(image, box.width * resolutionReserve, box.height * resolutionReserve, template.grade)
  const { width, height: maxHeight } = place
  const fontSize = frame.width * template.font.size
  const caption = drawCaption(scene.caption, template.font, { width: Math.floor(width), maxHeight, fontSize })
  const canvas = createCanvas(frame.width, frame.height)
  const ctx = canvas.getContext('2d')

  const drawText = ({ seconds, share }: Moment): void => {
    if (caption === undefined) return
    const edge = (caption.width - width) / 2
    const y = place.anchor === 'top' ? place.y - edge : place.y + place.height - caption.height + edge
    ctx.globalAlpha = share === 1 ? 1 : ease(clamp((seconds - 0.2) / 0.5))
    ctx.drawImage(caption, place.x - edge, y)
    ctx.globalAlpha = 1
  }

  return (moment) => {
    const { fadeInSeconds, fadeOutSeconds } = scene
    ctx.drawImage(background, 0, 0)
    drawMoving(ctx, picture, box, template, moment)
    ctx.drawImage(overlay, 0, 0)
    drawText(moment)
    const light = Math.min(clamp(moment.seconds / fadeInSeconds), clamp(moment.leftSeconds / fadeOutSeconds))
    ctx.fillStyle = `rgba(0, 0, 0, ${1 - light})`
    ctx.fillRect(0, 0, frame.width, frame.height)
    return canvas.data()
  }
}

function drawStill({ width, height }: FrameSize, draw: (ctx: SKRSContext2D) => void): Canvas {
  const canvas = createCanvas(width, height)
  draw(canvas.getContext('2d'))
  return canvas
}

/** Returns the progress with a gradual start and end. */
function ease(share: number): number {
  return share * share * (3 - 2 * share)
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/** Draws the image into its box at the camera position of this moment. */
function drawMoving(
  ctx: SKRSContext2D,
  picture: Canvas,
  box: Box,
  template: ContentTemplate,
  { share, pulse }: Moment,
): void {
  const progress = ease(share) * 0.6 + share * 0.4
  const zoom = interpolate(template.camera.zoom, progress) * (1 + 0.022 * pulse)
  const [width, height] = [box.width * zoom, box.height * zoom]
  const [[fromX, fromY], [toX, toY]] = template.camera.pan
  const x = box.x - ((width - box.width) / 2) * (1 + interpolate([fromX, toX], progress))
  const y = box.y - ((height - box.height) / 2) * (1 + interpolate([fromY, toY], progress))
  ctx.save()
  ctx.beginPath()
  ctx.rect(box.x, box.y, box.width, box.height)
  ctx.clip()
  ctx.drawImage(picture, x, y, width, height)
  ctx.restore()
}

function interpolate([from, to]: readonly [number, number], share: number): number {
  return from + (to - from) * share
}
