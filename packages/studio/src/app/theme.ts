/** Light or dark: as the system says, unless the user says otherwise. */
import { computed, effect, signal } from '@preact/signals';

export type ThemeChoice = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'palpable.theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(systemDark.matches);
systemDark.addEventListener('change', () => (isSystemDark.value = systemDark.matches));

export const themeChoice = signal<ThemeChoice>(readChoice());

/** The theme that is shown. */
export const theme = computed(() => {
  if (themeChoice.value !== 'system') return themeChoice.value;
  return isSystemDark.value ? 'dark' : 'light';
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice;
  try {
    localStorage.setItem(STORAGE_KEY, choice);
  } catch {
    // Storage may be switched off; the choice then holds until the page is left.
  }
}

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
