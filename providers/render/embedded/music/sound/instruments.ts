import { createRandom, hashText } from '../random.ts'
import {
  createFilter,
  createSaw,
  createSquare,
  createSamples,
  envelope,
  toFrequency,
  mono,
  sampleRate,
  type Stereo,
} from './signal.ts'

type InstrumentNote = { frequency: number; seconds: number; velocity: number; seed: number }

const instruments = {
  keys,
  bell,
  softLead,
  flute,
  sub,
  pluck: string({ brightness: 0.75, sustain: 0.35, drive: 0 }),
  guitar: string({ brightness: 0.62, sustain: 1.1, drive: 0.9 }),
  warmPad: ensemble({ attack: 0.25, release: 0.5, bright: 420, spread: 9, voices: 3 }),
  strings: ensemble({ attack: 0.16, release: 0.4, bright: 1500, spread: 12, voices: 3 }),
  stab: ensemble({ attack: 0.004, release: 0.12, bright: 2400, spread: 14, voices: 3 }),
  bass: bass({ bright: 1500, pluck: 0.12, sine: 0.45 }),
  roundBass: bass({ bright: 520, pluck: 0.09, sine: 0.68 }),
} satisfies Record<string, (note: InstrumentNote) => Stereo>

export type Instrument = keyof typeof instruments

/** Renders a note, from the attack to the end of the release. */
export function renderNote(instrument: Instrument, note: { midi: number; seconds: number; velocity: number }): Stereo {
  const { midi, seconds, velocity } = note
  return instruments[instrument]({
    frequency: toFrequency(midi),
    seconds,
    velocity,
    seed: hashText(`${instrument} ${midi}`) % 1000,
  })
}

/** Renders an electric piano: a frequency-modulated sine and a short tine. */
function keys({ frequency, seconds, velocity }: InstrumentNote): Stereo {
  const totalSeconds = seconds + 0.25
  const side = (detune: number): Float32Array => {
    const step = (2 * Math.PI * frequency * detune) / sampleRate
    return createSamples(totalSeconds, (t, index) => {
      const decay = Math.exp(-t * (0.9 + frequency / 500))
      const tine = Math.sin(step * 14 * index) * Math.exp(-t * 22) * 0.5 * velocity
      const bend = Math.sin(step * index) * (0.9 + 1.1 * velocity) * Math.exp(-t * 3.2)
      return Math.sin(step * index + bend + tine) * decay * envelope(t, totalSeconds, 0.003, 0.2) * 0.9
    })
  }
  return { left: side(0.9992), right: side(1.0008) }
}

function bell({ frequency, seconds, velocity }: InstrumentNote): Stereo {
  const totalSeconds = seconds + 1.1
  const step = (2 * Math.PI * frequency) / sampleRate
  const side = (detune: number): Float32Array =>
    createSamples(totalSeconds, (t, index) => {
      const bend = Math.sin(step * 3.507 * detune * index) * 1.6 * velocity * Math.exp(-t * 5)
      const low = Math.sin(step * index + bend) * Math.exp(-t * 2.4)
      return (
        (low + 0.18 * Math.sin(step * 2 * detune * index) * Math.exp(-t * 4)) *
        envelope(t, totalSeconds, 0.002, 0.4) *
        0.75
      )
    })
  return { left: side(0.9985), right: side(1.0015) }
}

/** Renders a lead voice that glides to its pitch, with vibrato on long notes. */
function softLead({ frequency, seconds, velocity }: InstrumentNote): Stereo {
  const totalSeconds = seconds + 0.12
  const side = (detune: number): Float32Array => {
    const [saw, square, filter] = [createSaw(0), createSquare(0), createFilter('low')]
    let pitch = frequency
    let cutoff = 0
    return createSamples(totalSeconds, (t, index) => {
      if (index % 16 === 0) {
        const pitchModulation = Math.sin(2 * Math.PI * 5.2 * t) * 0.0055 * Math.min(1, Math.max(0, t - 0.18) * 5)
        pitch = frequency * detune * (1 + pitchModulation - 0.018 * Math.exp(-t / 0.022))
        cutoff = 500 + frequency * (1.6 + 2.2 * velocity * Math.exp(-t / 0.35))
      }
      return filter(0.55 * saw(pitch) + 0.45 * square(pitch), cutoff, 0.8) * envelope(t, totalSeconds, 0.018, 0.1)
    })
  }
  return { left: side(0.997), right: side(1.003) }
}

function flute({ frequency, seconds, velocity, seed }: InstrumentNote): Stereo {
  const random = createRandom(seed)
  const breath = createFilter('band')
  const totalSeconds = seconds + 0.1
  let phase = 0
  return mono(
    createSamples(totalSeconds, (t) => {
      const pitchModulation = 1 + Math.sin(2 * Math.PI * 4.9 * t) * 0.004 * Math.min(1, t * 3)
      phase += (2 * Math.PI * frequency * pitchModulation) / sampleRate
      const tone = Math.sin(phase) + 0.24 * Math.sin(2 * phase) + 0.1 * velocity * Math.sin(3 * phase)
      const air = breath(random.next() * 2 - 1, frequency * 2, 1.5) * (0.12 + 0.3 * Math.exp(-t / 0.03))
      return (tone * 0.62 + air) * envelope(t, totalSeconds, 0.035, 0.09)
    }),
  )
}

/** Renders an 808 bass: a long low note that starts like a kick. */
function sub({ frequency, seconds, velocity }: InstrumentNote): Stereo {
  const totalSeconds = seconds + 0.08
  return mono(
    createSamples(totalSeconds, (t) => {
      const slide = 2 * Math.PI * (frequency * t + frequency * 0.9 * 0.018 * (1 - Math.exp(-t / 0.018)))
      return (
        Math.tanh((1.7 + velocity) * Math.sin(slide)) *
        Math.exp(-t * 0.9) *
        envelope(t, totalSeconds, 0.004, 0.08) *
        0.85
      )
    }),
  )
}

/** Creates a plucked string (Karplus-Strong): a noise burst in a delay line with a low-pass filter. */
function string(options: { brightness: number; sustain: number; drive: number }) {
  return ({ frequency, seconds, velocity, seed }: InstrumentNote): Stereo => {
    const { brightness, sustain, drive } = options
    const totalSeconds = seconds + 0.12
    const side = (salt: number): Float32Array => {
      const random = createRandom(seed + salt)
      // The low-pass filter delays by a fraction of a sample.
      const length = sampleRate / frequency - (0.5 - brightness / 2)
      const ring = new Float32Array(Math.ceil(length) + 1)
      const soften = createFilter('low')
      for (let index = 0; index < ring.length; index++)
        ring[index] = soften(random.next() * 2 - 1, 1200 + 7000 * brightness * velocity, 0.7)
      const loss = Math.exp(-1 / (frequency * sustain))
      let [write, last] = [0, 0]
      return createSamples(totalSeconds, (t) => {
        const back = write - length + ring.length
        const whole = Math.floor(back)
        const part = back - whole
        const read = (ring[whole % ring.length] ?? 0) * (1 - part) + (ring[(whole + 1) % ring.length] ?? 0) * part
        const next = loss * (read * (0.5 + brightness / 2) + last * (0.5 - brightness / 2))
        last = read
        ring[write] = next
        write = (write + 1) % ring.length
        const driven = drive > 0 ? Math.tanh(next * drive) / Math.tanh(drive) : next
        return driven * envelope(t, totalSeconds, 0.002, 0.1) * (drive > 0 ? 0.8 : 1.5)
      })
    }
    return { left: side(1), right: side(2) }
  }
}

/** Creates an ensemble of detuned saws with a filter that opens with the velocity. Each channel has its own detuning. */
function ensemble(options: { attack: number; release: number; bright: number; spread: number; voices: number }) {
  return ({ frequency, seconds, velocity, seed }: InstrumentNote): Stereo => {
    const { attack, release, bright, spread, voices } = options
    const totalSeconds = seconds + release
    const random = createRandom(seed)
    const side = (): Float32Array => {
      const saws = Array.from({ length: voices }, () => createSaw(random.next()))
      const tunes = saws.map(
        (_, index) => 2 ** ((((index / (voices - 1)) * 2 - 1) * spread + random.between(-2, 2)) / 1200),
      )
      const filter = createFilter('low')
      let cutoff = 0
      return createSamples(totalSeconds, (t, index) => {
        if (index % 32 === 0)
          cutoff = Math.min(
            9000,
            (bright + frequency * 1.5) * (0.5 + 0.6 * velocity) * (0.8 + 0.2 * Math.sin(t * 2.2 + seed)),
          )
        let sum = 0
        for (let voice = 0; voice < voices; voice++) sum += saws[voice]?.(frequency * (tunes[voice] ?? 1)) ?? 0
        return filter(sum / voices, cutoff, 0.7) * envelope(t, totalSeconds, attack, release)
      })
    }
    return { left: side(), right: side() }
  }
}

/** Creates a bass from a sine and a filtered saw. The filter closes after the attack. */
function bass(options: { bright: number; pluck: number; sine: number }) {
  return ({ frequency, seconds, velocity, seed }: InstrumentNote): Stereo => {
    const saw = createSaw(seed / 7)
    const filter = createFilter('low')
    const { bright, pluck, sine } = options
    const totalSeconds = seconds + 0.03
    let cutoff = 0
    return mono(
      createSamples(totalSeconds, (t, index) => {
        if (index % 16 === 0) cutoff = 90 + bright * (0.35 + velocity * Math.exp(-t / pluck))
        const wave = filter(saw(frequency), cutoff, 1.1) * (1 - sine) * 1.6
        const low = Math.sin(2 * Math.PI * frequency * t) * sine
        return Math.tanh(1.3 * (wave + low)) * envelope(t, totalSeconds, 0.004, 0.03)
      }),
    )
  }
}
