import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const machineFile = z.object({ id: z.uuid() })

/**
 * Returns the id of the machine that owns a data directory. The first process creates it in `machine.json`, and all processes
 * of the machine share it. A copied data directory must not contain the file.
 */
export async function readMachineId(dataDir: string): Promise<string> {
  const file = join(dataDir, 'machine.json')
  const text = await readText(file)
  if (text !== undefined) return parseId(file, text)
  await mkdir(dataDir, { recursive: true })
  const draft = `${file}.${randomUUID()}`
  // Every user that runs a service of this machine reads the file.
  await writeFile(draft, `${JSON.stringify({ id: randomUUID() })}\n`, { mode: 0o644 })
  try {
    // Unlike a rename, a link does not replace the file of a faster process.
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return parseId(file, (await readText(file)) ?? '')
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

function parseId(file: string, text: string): string {
  try {
    return machineFile.parse(JSON.parse(text)).id
  } catch (cause) {
    throw new Error(`${file} is damaged. Delete it to give this machine a new id`, { cause })
  }
}
