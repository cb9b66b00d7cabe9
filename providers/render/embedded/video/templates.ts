/** How a template places the picture, moves it and colours it. */
export type Template = {
  layout: 'full' | 'sleeve' | 'editorial'
  /** Scale of the picture at the beginning and at the end; 1 just covers its place. */
  zoom: readonly [from: number, to: number]
  /** Where the view is at both ends: -1 to 1 of the room that the zoom leaves. */
  pan: readonly [from: readonly [number, number], to: readonly [number, number]]
  /** CSS filter over the picture. */
  grade: string
  /** Laid over it, in CSS colours. */
  tint: string
  align: 'left' | 'center'
}

const bedroom: Template = {
  layout: 'full',
  zoom: [1.04, 1.16],
  pan: [
    [0, 0.3],
    [0, -0.2],
  ],
  grade: 'saturate(0.88) contrast(0.97) brightness(0.97) sepia(0.16)',
  tint: 'rgba(255, 170, 110, 0.07)',
  align: 'center',
}

const templates: Record<string, Template> = {
  'artist-caption-bedroom': bedroom,
  'artist-caption-outside': {
    layout: 'full',
    zoom: [1.14, 1.12],
    pan: [
      [-0.8, 0],
      [0.8, -0.1],
    ],
    grade: 'saturate(1.08) contrast(1.03) brightness(1.03)',
    tint: 'rgba(255, 214, 150, 0.05)',
    align: 'center',
  },
  'artist-caption-stage': {
    layout: 'full',
    zoom: [1.18, 1.04],
    pan: [
      [0.2, 0.2],
      [-0.2, 0],
    ],
    grade: 'saturate(1.15) contrast(1.14) brightness(0.9)',
    tint: 'rgba(120, 40, 220, 0.12)',
    align: 'center',
  },
  'album-record-store': {
    layout: 'sleeve',
    zoom: [1, 1.03],
    pan: [
      [0, 0],
      [0, 0],
    ],
    grade: 'none',
    tint: 'rgba(0, 0, 0, 0)',
    align: 'center',
  },
  'artist-release-editorial': {
    layout: 'editorial',
    zoom: [1.02, 1.12],
    pan: [
      [0, 0.2],
      [0, -0.2],
    ],
    grade: 'saturate(0.72) contrast(1.06)',
    tint: 'rgba(0, 0, 0, 0)',
    align: 'left',
  },
}

/** Of a name that is not known: that of the default one. */
export function templateOf(name: string): Template {
  return templates[name] ?? bedroom
}
