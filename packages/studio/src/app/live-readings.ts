/** Gathers what is found and drawn, and shows it from time to time. */
import { untilRefresh } from '../plots/refresh.js';
import { RollingWindow } from './rolling-window.js';
import { type ContactReadings, readings } from './state.js';

const WINDOW_MS = 1000;

export function createLiveReadings() {
  const queries = new RollingWindow(WINDOW_MS);
  const pictures = new RollingWindow(WINDOW_MS);
  let newest: ContactReadings | undefined;
  let picturesDrawn = 0;
  let isScheduled = false;

  const refresh = () => {
    isScheduled = false;
    const drawn = pictures.count(performance.now());
    readings.value = {
      found: newest,
      queryP50Us: newest && queries.percentile(0.5),
      queryP99Us: newest && queries.percentile(0.99),
      pictures: drawn,
    };
    // Until the last frame has left the window, so that the rate falls to zero when all is at rest.
    if (drawn > 0) schedule();
  };
  const schedule = () => {
    if (!isScheduled) setTimeout(refresh, untilRefresh(performance.now()));
    isScheduled = true;
  };

  return {
    /** Contacts were found, in so many microseconds. */
    onContacts(found: ContactReadings, queryUs: number) {
      newest = found;
      queries.push(performance.now(), queryUs);
      schedule();
    },
    onPicture(timeMs: number) {
      picturesDrawn += 1;
      pictures.push(timeMs, 1);
      schedule();
    },
    /** Nobody finds contacts any more. */
    clear() {
      newest = undefined;
      schedule();
    },
    get picturesDrawn() {
      return picturesDrawn;
    },
  };
}
