/** Light or dark: as the system says, unless the user says otherwise. */
import { computed, effect, signal } from '@preact/signals';
import { recall, remember } from '../controls/storage.js';

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
  remember(STORAGE_KEY, choice);
}

function readChoice(): ThemeChoice {
  const stored = recall(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
