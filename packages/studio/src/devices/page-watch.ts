/**
 * Whether the page is seen. A hidden page is not drawn, its timers are slowed and it may be stopped altogether: nobody
 * should have a force in the hand that comes from there.
 */
export interface PageVisibility {
  readonly events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  isHidden(): boolean;
}

/** `visibilitychange` comes for another tab and a minimised window, `pagehide` also when the page is left. */
const SIGNS = ['visibilitychange', 'pagehide', 'pageshow', 'freeze', 'resume'] as const;

export function createPageWatch(visibility: PageVisibility, onAway: (isAway: boolean) => void) {
  let isAway = visibility.isHidden();
  if (isAway) onAway(true);
  const check = ({ type }: Event) => {
    const isNowAway = visibility.isHidden() || type === 'pagehide' || type === 'freeze';
    if (isNowAway === isAway) return;
    isAway = isNowAway;
    onAway(isAway);
  };
  for (const sign of SIGNS) visibility.events.addEventListener(sign, check);
  return {
    close() {
      for (const sign of SIGNS) visibility.events.removeEventListener(sign, check);
    },
  };
}
