/** What can go wrong with a scene at work, in words. */
import { type Trouble, trouble } from './state.js';

export const NO_WEBGL: Trouble = {
  title: 'This browser cannot draw in 3D',
  text: 'WebGL 2 is off or missing. Switch on hardware acceleration in the browser settings, or open this page in a current Chrome, Edge, Firefox or Safari.',
};

export const CONTEXT_LOST: Trouble = {
  title: 'Drawing is paused',
  text: 'The graphics driver was reset, as happens after sleep or under load. Drawing resumes by itself; if not, reload the page.',
};

/** The loop goes on meanwhile: the user reads what became of it, and goes on too. */
export function contactThreadLost(text: string): Trouble {
  return {
    title: 'The contact thread was lost',
    text,
    action: {
      label: 'Continue',
      run: () => (trouble.value = undefined),
    },
  };
}

/** Each with what starts it again. */
export function loadingFailed(error: unknown, again: () => void): Trouble {
  return {
    title: 'The scene could not be loaded',
    text: error instanceof Error ? error.message : String(error),
    action: { label: 'Try again', run: again },
  };
}

export function sliceLost(message: string, again: () => void): Trouble {
  return {
    title: 'The slice can no longer be moved',
    text: `The thread that cuts it ended (${message}). Everything else still works.`,
    action: { label: 'Load the scene again', run: again },
  };
}

export function contactsLost(message: string, again: () => void): Trouble {
  return {
    title: 'The contacts have stopped',
    text: `The thread that finds them ended (${message}). Bodies and camera still move.`,
    action: { label: 'Start it again', run: again },
  };
}

export function loopLost(message: string, again: () => void): Trouble {
  return {
    title: 'The loop has stopped',
    text: `The thread that computes the force ended (${message}). The tool goes where it is put; contacts are still shown.`,
    action: { label: 'Start it again', run: again },
  };
}
