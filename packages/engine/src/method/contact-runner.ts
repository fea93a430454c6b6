import type { ContactLink } from './contact-link.js';

/** Finds contacts: from a state to a contact model. */
export interface ContactFinder {
  update(model: Float64Array, state: Float64Array): void;
  reset?(): void;
}

/** Brings contact models to the haptic side of a method, from a finder in this thread or over a link to another. */
export interface ContactRunner {
  /** The model that counts now. */
  readonly model: Float64Array;
  /** Before a step, with the state of the last one. */
  find(state: Float64Array): void;
  /** After a step. */
  tell(state: Float64Array): void;
  /** The tool was put somewhere else. */
  reset(state: Float64Array): void;
}

export interface ContactRunnerOptions {
  /** Contacts are found once in this many steps. */
  readonly contactRatio: number;
  /** Whether what is found counts only when the next search begins, as if it had taken all that time. */
  readonly contactDelayed?: boolean;
}

export function createContactRunner(
  finder: ContactFinder,
  createModel: () => Float64Array,
  { contactRatio, contactDelayed = false }: ContactRunnerOptions,
): ContactRunner {
  let model = createModel();
  let next = contactDelayed ? createModel() : model;
  let stepsLeft = 0;
  return {
    get model() {
      return model;
    },
    find(state) {
      stepsLeft -= 1;
      if (stepsLeft > 0) return;
      stepsLeft = contactRatio;
      const found = next;
      next = model;
      model = found;
      finder.update(next, state);
    },
    tell() {},
    reset() {
      finder.reset?.();
      model.fill(0);
      next.fill(0);
      stepsLeft = 0;
    },
  };
}

/** The finder is at the other end. Contacts of any age hold: whoever uses the model lets them fade when they are old. */
export function createLinkedRunner(link: ContactLink): ContactRunner {
  let model = link.model();
  return {
    get model() {
      return model;
    },
    find() {
      model = link.model();
    },
    tell: (state) => link.tell(state),
    reset: (state) => link.tell(state),
  };
}
