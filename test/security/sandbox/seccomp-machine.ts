const offsets = { number: 0, architecture: 4, arguments: 16 }

type Call = { architecture: number; number: number; args?: number[] }

/**
 * Interprets a seccomp program as the kernel documents it and returns the verdict for a call. Supports the used opcodes.
 */
export const computeVerdict = (program: Buffer, { architecture, number, args = [] }: Call): number => {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, offsets.number)
  data.writeUInt32LE(architecture, offsets.architecture)
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), offsets.arguments + 8 * index)
  let loaded = 0
  for (let at = 0; at < program.length / 8; at++) {
    const [code, value] = [program.readUInt16LE(at * 8), program.readUInt32LE(at * 8 + 4)]
    const jump = (holds: boolean): void => void (at += program.readUInt8(at * 8 + (holds ? 2 : 3)))
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x15) jump(loaded === value)
    else if (code === 0x35) jump(loaded >= value)
    else if (code === 0x45) jump((loaded & value) !== 0)
    else if (code === 0x06) return value
    else throw new Error(`unsupported instruction ${code} at ${at}`)
  }
  throw new Error('the program has no end')
}
