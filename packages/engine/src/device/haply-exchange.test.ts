import { expect, test } from 'vitest';
import { createHaplyExchange } from './haply-exchange.js';

/** An exchange whose clock, service and loop are the test's; the loop always has a wrench that is new. */
function openExchange() {
  const sent: number[] = [];
  const news: string[] = [];
  const loop = { nowMs: 1000, push: 0, isAlive: true, poses: 0 };
  const exchange = createHaplyExchange(
    {
      now: () => loop.nowMs,
      send: (message) => sent.push(JSON.parse(message).inverse3[0].commands.set_cursor_force.values.z) > 0,
      awaitForce: () => null,
      takeForce: (out) => {
        out[2] = loop.push;
      },
      isLoopAlive: () => loop.isAlive,
      onConnected: ({ trouble }) => news.push(`connected, ${trouble ? 'not ready' : 'ready'}`),
      onReading: () => {
        loop.poses += 1;
      },
      onRefused: (problem) => news.push(`refused: ${problem}`),
      onGrip: (grip, before) => news.push(`grip ${before} → ${grip}`),
      onTrouble: (trouble) => news.push(trouble ? 'trouble' : 'ready'),
      onLost: (reason) => news.push(`lost: ${reason}`),
    },
    { silentMs: 100, firstReadingMs: 2000 },
  );
  const reply = (ready = true, gripId = 'G') => {
    const state = { cursor_position: { x: 0, y: 0, z: 0 } };
    const grip = { device_id: gripId, state: { orientation: { x: 0, y: 0, z: 0, w: 1 } } };
    exchange.accept(JSON.stringify({ inverse3: [{ device_id: 'A', state, status: { ready } }], verse_grip: [grip] }));
  };
  const wait = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 2) {
      loop.nowMs += 2;
      exchange.tick();
    }
  };
  return { exchange, loop, sent, news, reply, wait };
}

test('keeps one message under way, and sends unasked only a force that falls', () => {
  const { loop, sent, reply, wait } = openExchange();
  loop.push = 5;
  reply();
  wait(40);
  expect(sent).toEqual([5]);
  loop.isAlive = false;
  loop.push = 3;
  wait(20);
  loop.push = 0;
  wait(20);
  expect(sent).toEqual([5, 3, 0]);
  reply();
  expect(sent).toEqual([5, 3, 0]);
});

test('gives neither poses nor forces while the device has a trouble, nor until the loop has let go', () => {
  const { loop, sent, news, reply } = openExchange();
  loop.push = 5;
  for (const ready of [true, false, true, true]) reply(ready);
  expect([loop.poses, news]).toEqual([1, ['connected, ready']]);
  expect(sent[0]).toBe(5);
  expect(sent.slice(1).every((force) => force === 0)).toBe(true);
  loop.push = 0;
  reply();
  reply();
  loop.push = 5;
  reply();
  expect([loop.poses, sent.at(-1)]).toEqual([3, 5]);
});

test('reports a grip and a trouble that last, once; gives up on silence and on a service without a device', () => {
  const { exchange, loop, news, reply, wait } = openExchange();
  reply(true, 'G');
  reply(false, 'other');
  wait(4);
  reply(false, 'G');
  wait(4);
  expect(news).toEqual(['connected, ready', 'grip G → null', 'trouble']);
  exchange.accept('nonsense');
  wait(110);
  expect(news.slice(3)).toEqual(['refused: a message is not JSON: “nonsense”', 'lost: no reading for 100 ms']);
  const other = openExchange();
  other.exchange.accept('{"inverse3": []}');
  expect(other.news).toEqual(['lost: the service lists no Inverse3: connect one and switch it on']);
  expect(loop.nowMs).toBeLessThan(1200);
});

test('ends with a force of zero, and takes nothing more', () => {
  const { exchange, loop, sent, reply } = openExchange();
  loop.push = 5;
  reply();
  exchange.end();
  reply();
  exchange.end();
  expect(sent).toEqual([5, 0]);
});
