/** The thread of the Haply connection: drawing a frame takes longer than a hand may wait for its force. */
import { createHaplyLink, type HaplySocket } from './haply-link.js';
import type { FromHaply, ToHaply } from './haply-messages.js';

const TICK_MS = 4;

const scope = globalThis as unknown as {
  postMessage(message: FromHaply): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToHaply>) => void): void;
};

const link = createHaplyLink({
  openSocket: (url) => new WebSocket(url) as unknown as HaplySocket,
  now: () => performance.now(),
  report: (news) => scope.postMessage(news),
});

scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'open') link.open(data.url);
  else if (data.kind === 'port') link.usePort(data.port, data.pose, data.yaw);
  else if (data.kind === 'no-port') link.leavePort();
  else if (data.kind === 'hold') link.hold(data.isHeld);
  else if (data.kind === 'let-go') link.letGo();
  else if (data.kind === 'place') link.place(data.pose);
  else link.close();
});
setInterval(() => link.tick(), TICK_MS);
