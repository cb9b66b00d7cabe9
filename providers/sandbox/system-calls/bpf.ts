/** One instruction of the kernel's classic packet filter, as seccomp takes them (`struct sock_filter`). */
export type Instruction = { code: number; ifTrue: number; ifFalse: number; value: number }

/** Offsets in `struct seccomp_data`. Of an argument the lower half: whatever the kernel reads as an int is in there. */
export const field = { number: 0, architecture: 4, argument: (index: number): number => 16 + 8 * index }

export function load(offset: number): Instruction {
  return instruction(0x20, offset)
}

export function answer(verdict: number): Instruction {
  return instruction(0x06, verdict)
}

type Comparison = 'equal' | 'atLeast' | 'anyBit'
const comparisons: Record<Comparison, number> = { equal: 0x15, atLeast: 0x35, anyBit: 0x45 }

/** Runs `block` when the loaded value compares so, and goes on behind it otherwise. */
export function when(comparison: Comparison, value: number, block: Instruction[]): Instruction[] {
  return [instruction(comparisons[comparison], value, 0, over(block)), ...block]
}

/** Runs `block` when it does not. */
export function unless(comparison: Comparison, value: number, block: Instruction[]): Instruction[] {
  return [instruction(comparisons[comparison], value, over(block), 0), ...block]
}

/** The program in the byte order of both processors that there are numbers for. */
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

function over(block: Instruction[]): number {
  if (block.length > 255) throw new RangeError('a jump leads over 255 instructions at most')
  return block.length
}
