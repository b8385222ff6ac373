export type Theme = 'system' | 'light' | 'dark';

const key = 'theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

function isTheme(value: string | null): value is Theme {
  return value === 'system' || value === 'light' || value === 'dark';
}

function kept(): Theme {
  const value = localStorage.getItem(key);
  return isTheme(value) ? value : 'system';
}

/** The theme chosen on this device, and whether it is currently dark. */
export const theme = $state({ chosen: kept(), isDark: false });

function show(): void {
  theme.isDark = theme.chosen === 'dark' || (theme.chosen === 'system' && dark.matches);
  document.documentElement.dataset['theme'] = theme.isDark ? 'dark' : 'light';
}

/** Shows the chosen theme, and follows the system if that is the choice. */
export function followSystemTheme(): void {
  dark.addEventListener('change', show);
  show();
}

export function chooseTheme(chosen: Theme): void {
  theme.chosen = chosen;
  localStorage.setItem(key, chosen);
  show();
}
