/** Gathers what the contact thread and the stage report, and shows it ten times a second: faster cannot be read. */
import { type ContactFrame, FrameNumber } from '../threads/contact-channel.js';
import { RollingWindow } from './rolling-window.js';
import { type QueryReadings, readings } from './state.js';

const WINDOW_MS = 1000;
const REFRESH_MS = 100;

export interface LiveReadings {
  onFrame(frame: ContactFrame): void;
  onPicture(timeMs: number): void;
  /** There is no contact thread: no contacts to speak of. */
  clear(): void;
  readonly picturesDrawn: number;
}

export function createLiveReadings(): LiveReadings {
  const queries = new RollingWindow(WINDOW_MS);
  const pictures = new RollingWindow(WINDOW_MS);
  let newest: QueryReadings | undefined;
  let picturesDrawn = 0;
  let isScheduled = false;

  const refresh = () => {
    isScheduled = false;
    const drawn = pictures.count(performance.now());
    readings.value = {
      query: newest,
      queryP50Us: newest && queries.percentile(0.5),
      queryP99Us: newest && queries.percentile(0.99),
      pictures: drawn,
    };
    // Until the last picture has left the window, so that the rate falls to zero when all is at rest.
    if (drawn > 0) schedule();
  };
  const schedule = () => {
    if (!isScheduled) setTimeout(refresh, REFRESH_MS);
    isScheduled = true;
  };

  return {
    onFrame({ numbers }) {
      newest = {
        contacts: numbers[FrameNumber.contacts]!,
        deepest: numbers[FrameNumber.deepest]!,
        visited: numbers[FrameNumber.visited]!,
        isCapped: numbers[FrameNumber.capped] === 1,
      };
      queries.push(performance.now(), numbers[FrameNumber.queryUs]!);
      schedule();
    },
    onPicture(timeMs) {
      picturesDrawn += 1;
      pictures.push(timeMs, 1);
      schedule();
    },
    clear() {
      newest = undefined;
      schedule();
    },
    get picturesDrawn() {
      return picturesDrawn;
    },
  };
}
