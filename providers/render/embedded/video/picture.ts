import { readFile } from 'node:fs/promises'
import { createCanvas, loadImage, type Canvas, type Image } from '@napi-rs/canvas'
import { imageSize } from 'image-size'
import { sniffImage } from '../../../../domain/content/media.ts'
import { RenderRefusedError } from '../refusal.ts'

/** Maximum number of pixels of a decoded image. Each needs four bytes of memory. */
const maxPixels = 60_000_000

/** Loads a PNG, JPEG or WebP. Throws for other formats. Rejects images that are too large before decoding them. */
export async function openPicture(path: string): Promise<Image> {
  const bytes = await readFile(path)
  if (sniffImage(bytes) === undefined) throw new RenderRefusedError('The image is not a PNG, JPEG or WebP.')
  try {
    const { width, height } = imageSize(bytes)
    const limit = `make it smaller than ${maxPixels / 1_000_000} megapixels`
    if (width * height > maxPixels) throw new RenderRefusedError(`The image has ${width} x ${height} pixels: ${limit}.`)
    return await loadImage(bytes)
  } catch (error) {
    throw error instanceof RenderRefusedError ? error : new RenderRefusedError('The image is damaged.')
  }
}

/** Returns the center of an image, scaled to cover the area, with color grading. */
export function cover(image: Image, width: number, height: number, filter: string): Canvas {
  const scale = Math.max(width / image.width, height / image.height)
  const canvas = createCanvas(Math.round(width), Math.round(height))
  const ctx = canvas.getContext('2d')
  ctx.imageSmoothingQuality = 'high'
  ctx.filter = filter
  const [w, h] = [image.width * scale, image.height * scale]
  ctx.drawImage(image, (width - w) / 2, (height - h) / 2, w, h)
  return canvas
}
