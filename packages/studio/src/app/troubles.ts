/** What can go wrong with a scene at work, in words. */
import { messageOf } from '../controls/words.js';
import { type Trouble, trouble } from './state.js';

export const NO_WEBGL: Trouble = {
  title: 'This browser cannot draw in 3D',
  text: 'WebGL 2 is off or missing. Switch on hardware acceleration in the browser settings, or open this page in a current Chrome, Edge, Firefox or Safari.',
};

export const CONTEXT_LOST: Trouble = {
  title: 'Drawing is paused',
  text: 'The graphics driver was reset, as happens after sleep or under load. Drawing resumes by itself; if not, reload the page.',
};

/** One that is over when the user has done something about it. */
export function troubleOf(title: string, text: string, label: string, act = () => {}): Trouble {
  const run = () => {
    trouble.value = undefined;
    act();
  };
  return { title, text, action: { label, run } };
}

/** The loop goes on meanwhile: the user reads what became of it, and goes on too. */
export function contactThreadLost(text: string): Trouble {
  return troubleOf('The contact thread was lost', text, 'Continue');
}

/** Each with what starts it again. */
export function loadingFailed(error: unknown, again: () => void): Trouble {
  const text = messageOf(error);
  return troubleOf('The scene could not be loaded', text, 'Try again', again);
}

export function sliceLost(message: string, again: () => void): Trouble {
  const text = `The thread that cuts it ended (${message}). Everything else still works.`;
  return troubleOf('The slice can no longer be moved', text, 'Load the scene again', again);
}

export function contactsLost(message: string, again: () => void): Trouble {
  const text = `The thread that finds them ended (${message}). Bodies and camera still move.`;
  return troubleOf('The contacts have stopped', text, 'Start it again', again);
}

export function loopLost(message: string, again: () => void): Trouble {
  const text = `The thread that computes the force ended (${message}). The tool goes where it is put; contacts are still shown.`;
  return troubleOf('The loop has stopped', text, 'Start it again', again);
}
