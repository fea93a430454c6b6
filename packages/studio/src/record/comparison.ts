/** A comparison as the dialog shows it: what is chosen, how far it is, what came out. */
import { signal } from '@preact/signals';
import type { ComparedMotion, VariantResult } from './compare.js';
import { type RunningComparison, startComparison } from './compare-client.js';
import { FRICTION_CHOICES, suitedMethods, type Variant, variantsOf } from './variants.js';

/** A variant that has been run, or why it could not be. */
export type Compared =
  | { readonly label: string; readonly result: VariantResult }
  | { readonly label: string; readonly problem: string };

export class Comparison {
  readonly methods = signal<ReadonlySet<string>>(suitedMethods(undefined));
  readonly models = signal<ReadonlySet<string>>(new Set(FRICTION_CHOICES.map(({ value }) => value).slice(1, 3)));
  /** Undefined while nothing runs. */
  readonly progress = signal<{ readonly fraction: number; readonly label: string } | undefined>(undefined);
  /** In the order of the variants. */
  readonly compared = signal<readonly Compared[]>([]);
  readonly words = signal('');

  private readonly startRuns: typeof startComparison;
  private running: RunningComparison | undefined;

  constructor(startRuns: typeof startComparison = startComparison) {
    this.startRuns = startRuns;
  }

  get variants(): Variant[] {
    return variantsOf(this.methods.value, this.models.value);
  }

  start(motion: ComparedMotion): void {
    const { variants } = this;
    this.cancel();
    if (variants.length === 0) return;
    this.compared.value = [];
    this.words.value = '';
    this.progress.value = { fraction: 0, label: variants[0]!.label };
    this.running = this.startRuns(
      { motion, variants },
      {
        onProgress: (fraction, label) => (this.progress.value = { fraction, label }),
        onResult: (_, result) => this.add({ label: result.label, result }),
        onFailed: (index, problem) => this.add({ label: variants[index]!.label, problem }),
        onDone: () => (this.progress.value = undefined),
        onLost: (message) => {
          this.progress.value = undefined;
          this.words.value = `The thread that runs the variants ended (${message}). Finished runs are kept; run it again for the rest.`;
        },
      },
    );
  }

  /** What is finished stays. */
  cancel(): void {
    this.running?.cancel();
    this.running = undefined;
    this.progress.value = undefined;
  }

  /** For another take, of this scene. */
  clear(scene?: unknown): void {
    this.cancel();
    this.methods.value = suitedMethods(scene);
    this.compared.value = [];
    this.words.value = '';
  }

  private add(one: Compared): void {
    this.compared.value = [...this.compared.value, one];
  }
}
