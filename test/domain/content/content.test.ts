import { describe, expect, it } from 'vitest'
import { captionInstructions, parseCaption, parseMood, plainCaption } from '../../../domain/content/caption.ts'
import { chooseClip } from '../../../domain/content/clip.ts'
import { toFolder, selectMedia, findSongsByName, toTitle } from '../../../domain/content/folder.ts'
import { captionLengths, contentTemplates } from '../../../domain/content/templates/index.ts'

/** Levels of a song that is quiet except in these ranges of half seconds. */
const song = (count: number, loud: Record<string, number>): { seconds: number; levels: number[] } => ({
  seconds: count / 2,
  levels: Array.from({ length: count }, (_, at) => {
    const part = Object.keys(loud).find((range) => {
      const [from = 0, to = 0] = range.split('-').map(Number)
      return at >= from && at < to
    })
    return part === undefined ? 40 : (loud[part] ?? 0)
  }),
})

describe('the part of a song that is chosen for a video', () => {
  it('is loud, and begins where the song becomes loud', () => {
    expect(chooseClip(song(120, { '60-100': 80 }), 15, 0)).toEqual({ startSeconds: 30, durationSeconds: 15 })
  })

  it('differs between the videos of a batch if another part is nearly as loud', () => {
    const twoLoudParts = song(200, { '40-80': 80, '120-160': 79 })
    const starts = [0, 1, 2].map((turn) => chooseClip(twoLoudParts, 15, turn).startSeconds)
    expect(starts).toEqual([20, 60, 20])
    expect(chooseClip(song(120, { '60-70': 90 }), 5, 1)).toEqual(chooseClip(song(120, { '60-70': 90 }), 5, 0))
  })

  it('is the whole of a short song, and never exceeds the end of a song', () => {
    expect(chooseClip({ seconds: 9.3, levels: [1, 2] }, 15, 5)).toEqual({ startSeconds: 0, durationSeconds: 9.3 })
    for (const turn of [0, 1, 2, 999]) {
      const { startSeconds } = chooseClip({ seconds: 20.2, levels: Array(40).fill(5) as number[] }, 15, turn)
      expect(startSeconds).toBeLessThanOrEqual(5.2)
    }
    expect(chooseClip({ seconds: 20, levels: [] }, 15, 3)).toEqual({ startSeconds: 0, durationSeconds: 15 })
  })
})

describe('a caption', () => {
  const subject = { template: 'artist-caption-stage', length: 'short', song: 'Harbour', artist: 'Nova' } as const

  it('is the text in the caption tag of the model output, without surrounding quotation marks', () => {
    expect(parseCaption('Sure!\n<caption>\n “so  loud” </caption> Enjoy', subject)).toBe('so loud')
  })

  it.each(['so loud', '<caption></caption>', `<caption>${'x'.repeat(41)}</caption>`, ''])(
    'is the default caption if the model output is %j',
    (output) => {
      expect(parseCaption(output, subject)).toBe('Harbour')
    },
  )

  it('is requested from the model unless its length is none, as is a mood if the lyrics of the song are known', () => {
    const track = { prompt: 'slow house', lyrics: 'all the lights are out' }
    const silent = { ...subject, length: 'none', track } as const
    expect(captionInstructions(silent)).not.toContain('<caption>')
    expect(captionInstructions(silent)).toContain('<mood>')
    expect(captionInstructions(subject)).not.toContain('<mood>')
    const output = '<caption>so loud</caption> <mood> Quiet,\n Longing </mood>'
    expect([parseCaption(output, silent), parseMood(output, silent), parseMood(output, subject)]).toEqual([
      '',
      'quiet, longing',
      undefined,
    ])
    for (const invalid of ['', '<mood></mood>', `<mood>${'x'.repeat(41)}</mood>`, '<mood>sad', '</mood><mood>'])
      expect(parseMood(invalid, silent)).toBeUndefined()
  })

  it('has a valid default for every template and any names of the song and the artist', () => {
    for (const { name: template } of contentTemplates)
      for (const length of captionLengths.filter((name) => name !== 'none')) {
        const caption = plainCaption({ template, length, song: '{artist}\n$& x', artist: 'y'.repeat(300) })
        expect(caption).toContain('{artist} $& x')
        expect(caption.length).toBeLessThan(180)
      }
  })
})

describe('the folder of an artist', () => {
  it('is its name in lower case, with hyphens for spaces', () => {
    expect(toFolder(' Nova  Quartet ')).toBe('nova-quartet')
    expect(toFolder('AC/DC')).toBe('ac-dc')
  })

  it('contains only images and songs of this artist', () => {
    const paths = [
      'nova/b.MP3',
      'nova/a.jpg',
      'artists/nova/songs/a.wav',
      'nova-two/x.mp3',
      'x/nova/y.mp3',
      'nova/n.txt',
    ]
    expect(selectMedia(paths, 'nova')).toEqual({
      images: ['nova/a.jpg'],
      songs: ['artists/nova/songs/a.wav', 'nova/b.MP3'],
    })
  })

  it('is searched for songs by file name, with or without extension, and by slug', () => {
    const paths = ['n/01 Midnight Arcade.mp3', 'n/Harbour.wav']
    expect(findSongsByName(paths, ['harbour'])).toEqual(['n/Harbour.wav'])
    expect(findSongsByName(paths, ['01-midnight-arcade', 'HARBOUR.WAV'])).toEqual(paths)
    expect(findSongsByName(paths, ['arcade'])).toEqual([])
  })

  it.each([
    ['01 - midnight_arcade.mp3', 'Midnight Arcade'],
    ['07.harbour.wav', 'Harbour'],
    ['AC DC live.flac', 'AC DC live'],
    ["don't-go.mp3", "Don't Go"],
    ['7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa.mp3', 'Untitled'],
    ['99.mp3', 'Untitled'],
  ])('turns the file name %s into the title %s', (file, title) => {
    expect(toTitle(file)).toBe(title)
  })
})
