import { resolve } from 'node:path'
import { copyRuntimePackages } from '../runtime-packages.ts'
import { CommandRefusedError } from '../say.ts'

/** Copies the packages that `dist/` needs to `<folder>/node_modules`, for the image. */
export async function main([folder, ...rest]: string[]): Promise<void> {
  if (folder === undefined || rest.length > 0) throw new CommandRefusedError('Argument: <folder>')
  await copyRuntimePackages(process.cwd(), resolve(folder))
}
