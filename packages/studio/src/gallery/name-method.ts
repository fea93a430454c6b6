/** How a scene is felt, in the few words of a card. */

interface SceneChoices {
  readonly method?: { readonly kind?: string; readonly constraint?: string; readonly detection?: string };
  readonly friction?: { readonly model?: string };
}

const METHODS: Readonly<Record<string, string>> = {
  penalty: 'Penalty',
  'static-friction': 'Static friction',
  'god-object': 'God object',
  modular: 'Modular',
  deformable: 'Deformable',
};

/** Takes what a scene file holds; what it does not say has the defaults of the format. */
export function nameMethod(value: unknown): string {
  const { method, friction } = value as SceneChoices;
  const kind = method?.kind ?? 'static-friction';
  const name = METHODS[kind] ?? kind;
  if (kind === 'static-friction') return `${name}, ${friction?.model ?? 'cone'}`;
  if (kind === 'god-object') return `${name}, ${method?.constraint ?? 'heuristic'}`;
  if (kind === 'modular') return method?.detection === 'hierarchy' ? `${name}, levels of detail` : `${name}, shell`;
  return name;
}
