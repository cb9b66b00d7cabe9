import { resolve } from 'node:path'
import { copyRuntimePackages } from '../runtime-packages.ts'
import { Refusal } from '../say.ts'

/** Copies the packages that `dist/` needs to `<folder>/node_modules`, for the image. */
export async function main([folder, ...rest]: string[]): Promise<void> {
  if (folder === undefined || rest.length > 0) throw new Refusal('Argument: <folder>')
  await copyRuntimePackages(process.cwd(), resolve(folder))
}
