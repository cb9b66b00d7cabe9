import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme, type MantineColorsTuple } from '@mantine/core'
import { markUrl } from '../../../domain/pages/mark.ts'
import { brand, theme } from './theme.ts'

const { dark, gray, red, green, blue, yellow } = DEFAULT_THEME.colors
const usedColors: Record<string, MantineColorsTuple> = { dark, gray, red, green, blue, yellow, brand }
const resolved = defaultCssVariablesResolver({
  ...mergeMantineTheme(DEFAULT_THEME, theme),
  colors: usedColors,
})

/** Theme variables. Text colors have a contrast ratio of at least 4.5:1 against their backgrounds. */
export const cssVariables = {
  ...resolved,
  variables: { ...resolved.variables, '--brand-mark': `url("${markUrl}")` },
  light: {
    ...resolved.light,
    '--mantine-color-dimmed': '#5c636b',
    '--mantine-color-placeholder': '#6d747c',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-default-border': '#dee2e6',
    '--mantine-color-green-light-color': '#1b6b2e',
    '--mantine-color-yellow-light-color': '#8a4b00',
  },
  dark: {
    ...resolved.dark,
    '--mantine-color-body': '#1a1b1e',
    '--mantine-color-text': '#e4e5e8',
    '--mantine-color-dimmed': '#a3a8b0',
    '--mantine-color-placeholder': '#8f959e',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-default': '#25262b',
    '--mantine-color-default-border': '#373a40',
    '--mantine-color-gray-light': '#2f3136',
  },
}
