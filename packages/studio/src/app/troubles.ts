/** What can go wrong with a scene at work, in words. */
import { type Trouble, trouble } from './state.js';

export const NO_WEBGL: Trouble = {
  title: 'This browser cannot draw in 3D',
  text: 'WebGL 2 is switched off or missing. Switch on hardware acceleration in the settings of the browser, or open this page in a current Chrome, Edge, Firefox or Safari.',
};

export const CONTEXT_LOST: Trouble = {
  title: 'Drawing is paused',
  text: 'The graphics driver took the drawing away, as it does after sleep or under load. It comes back by itself; if not, reload the page.',
};

/** The loop goes on meanwhile: the user reads what became of it, and goes on too. */
export function contactThreadLost(text: string): Trouble {
  return {
    title: 'The contact thread was lost',
    text,
    action: {
      label: 'Go on',
      run: () => {
        trouble.value = undefined;
      },
    },
  };
}
