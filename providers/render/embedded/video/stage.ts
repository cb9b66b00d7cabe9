import { createCanvas, type Image } from '@napi-rs/canvas'
import type { ContentTemplate } from '../../../../domain/content/templates/index.ts'
import { drawCaption } from './caption.ts'
import { layouts, type FrameSize } from './layouts.ts'
import { cover } from './picture.ts'

/** Scale of the stored image relative to its area, so that zooming does not lose sharpness. */
const resolutionReserve = 1.2

/** Clip of this duration. */
type Scene = { frame: FrameSize; template: ContentTemplate; image: Image; text: string; seconds: number }

/** Creates a function that draws the frame at a second of the clip. Its RGBA buffer is valid until the next call. */
export function createStage({ frame, template, image, text, seconds }: Scene): (second: number) => Buffer {
  const content = { template, image, hasCaption: text.trim() !== '' }
  const { picture: box, caption: place, ...layers } = layouts[template.layout](frame, content)
  const picture = cover(image, box.width * resolutionReserve, box.height * resolutionReserve, template.grade)
  const caption = drawCaption(text, template.font, place, frame.width)
  const canvas = createCanvas(frame.width, frame.height)
  const ctx = canvas.getContext('2d')

  /** Draws the image into its box at the camera position of this moment. */
  const drawMoving = (share: number): void => {
    const progress = ease(share) * 0.6 + share * 0.4
    const interpolate = (from: number, to: number): number => from + (to - from) * progress
    const { zoom, pan } = template.camera
    const [width, height] = [box.width, box.height].map((size) => size * interpolate(...zoom)) as [number, number]
    const [[fromX, fromY], [toX, toY]] = pan
    const x = box.x - ((width - box.width) / 2) * (1 + interpolate(fromX, toX))
    const y = box.y - ((height - box.height) / 2) * (1 + interpolate(fromY, toY))
    ctx.save()
    ctx.beginPath()
    ctx.rect(box.x, box.y, box.width, box.height)
    ctx.clip()
    ctx.drawImage(picture, x, y, width, height)
    ctx.restore()
  }

  return (second) => {
    layers.background(ctx)
    drawMoving(second / seconds)
    layers.overlay(ctx)
    if (caption !== undefined) {
      const edge = (caption.width - place.width) / 2
      const y = place.anchor === 'top' ? place.y - edge : place.y + place.height - caption.height + edge
      ctx.globalAlpha = ease(Math.min(1, Math.max(0, (second - 0.2) / 0.5)))
      ctx.drawImage(caption, place.x - edge, y)
      ctx.globalAlpha = 1
    }
    return canvas.data()
  }
}

/** Returns the progress with a gradual start and end. */
function ease(share: number): number {
  return share * share * (3 - 2 * share)
}
