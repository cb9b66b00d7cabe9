import { createTheme, type MantineColorsTuple } from '@mantine/core'

export const brand: MantineColorsTuple = [
  '#fff4ec',
  '#fde6d5',
  '#f9ccaa',
  '#f4ae7c',
  '#f0965a',
  '#e57a35',
  '#c65d17',
  '#a84a10',
  '#8a3b12',
  '#6b2e10',
]

export const theme = createTheme({
  colors: { brand },
  primaryColor: 'brand',
  primaryShade: 7,
  cursorType: 'pointer',
  defaultRadius: 'md',
  fontFamily: "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: 'light', size: 'md', tt: 'none', fw: 600 } },
    Anchor: { defaultProps: { underline: 'always' } },
  },
})
