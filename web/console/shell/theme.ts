export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const name = 'backline-theme'

/** Reads the theme, the only setting that the console stores in the browser. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(name)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function keepTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(name)
  else localStorage.setItem(name, theme)
  applyTheme(theme)
}
