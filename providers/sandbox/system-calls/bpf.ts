/** Instruction of a classic BPF program for seccomp (`struct sock_filter`). */
export type Instruction = { code: number; ifTrue: number; ifFalse: number; value: number }

/** Offsets in `struct seccomp_data`. `argument`: the lower 32 bits, because the kernel reads only these bits of an int. */
export const field = { number: 0, architecture: 4, argument: (index: number): number => 16 + 8 * index }

export function load(offset: number): Instruction {
  return instruction(0x20, offset)
}

export function returnVerdict(verdict: number): Instruction {
  return instruction(0x06, verdict)
}

type Comparison = 'equal' | 'atLeast' | 'anyBit'
const comparisons: Record<Comparison, number> = { equal: 0x15, atLeast: 0x35, anyBit: 0x45 }

/** Runs `block` if the comparison of the loaded value is true; otherwise continues after it. */
export function when(comparison: Comparison, value: number, block: Instruction[]): Instruction[] {
  return [instruction(comparisons[comparison], value, 0, countSkipped(block)), ...block]
}

/** Runs `block` if the comparison of the loaded value is false; otherwise continues after it. */
export function unless(comparison: Comparison, value: number, block: Instruction[]): Instruction[] {
  return [instruction(comparisons[comparison], value, countSkipped(block), 0), ...block]
}

/** Encodes the program in little-endian byte order, which both supported processors use. */
export function assemble(program: Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}

function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Instruction {
  return {
    code,
    ifTrue,
    ifFalse,
    value,
  }
}

function countSkipped(block: Instruction[]): number {
  if (block.length > 255) throw new RangeError('a jump skips at most 255 instructions')
  return block.length
}
