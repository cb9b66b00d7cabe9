const offsets = { number: 0, architecture: 4, arguments: 16 }

type Call = { architecture: number; number: number; args?: number[] }

/**
 * Interprets a seccomp program according to the kernel's documentation and returns its verdict for a call. Supports only
 * the opcodes of the filter of sandboxes.
 */
export const computeVerdict = (program: Buffer, { architecture, number, args = [] }: Call): number => {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, offsets.number)
  data.writeUInt32LE(architecture, offsets.architecture)
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), offsets.arguments + 8 * index)
  let loaded = 0
  for (let position = 0; position < program.length / 8; position++) {
    const [code, value] = [program.readUInt16LE(position * 8), program.readUInt32LE(position * 8 + 4)]
    const jump = (holds: boolean): void => void (position += program.readUInt8(position * 8 + (holds ? 2 : 3)))
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x15) jump(loaded === value)
    else if (code === 0x35) jump(loaded >= value)
    else if (code === 0x45) jump((loaded & value) !== 0)
    else if (code === 0x06) return value
    else throw new Error(`unsupported instruction ${code} at ${position}`)
  }
  throw new Error('the program has no end')
}
