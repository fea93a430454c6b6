import { describe, expect, it } from 'vitest';
import { RecordDesk, type RecordedLoop } from './record-desk.js';
import type { ReplayMoment } from './replay.js';
import { createRowQueue, sampleRow } from './take-samples.js';

const noPause = { pause: () => Promise.resolve() };

function openDesk() {
  const shown: (number | undefined)[] = [];
  const saved: string[] = [];
  const desk = new RecordDesk({
    show: (moment: ReplayMoment | undefined) => shown.push(moment?.toolPose[0]),
    save: (name, content) => saved.push(`${name} ${content.size > 0}`),
  });
  const rows = createRowQueue();
  const loop: RecordedLoop = {
    rows,
    scene: () => ({ palpable: 1 }),
    timeStep: 0.001,
    tools: ['ball'],
    bodies: new Map(),
  };
  const run = (from: number, count: number) => {
    for (let i = 0; i < count; i += 1) rows.put(sampleRow(from + 0.001 * i, 0.001 * i));
    desk.frame(0);
  };
  return { desk, loop, rows, run, shown, saved };
}

/** With one take of a second. */
function deskWithTake() {
  const opened = openDesk();
  opened.desk.attach(opened.loop);
  opened.desk.toggleRecording();
  opened.run(5, 1001);
  opened.desk.toggleRecording();
  return opened;
}

describe('the desk', () => {
  it('records, lists the take and opens it', () => {
    const { desk, loop, run, shown } = openDesk();
    desk.toggleRecording();
    expect(desk.recording.value).toBeUndefined();
    desk.attach(loop);
    expect(desk.canRecord.value).toBe(true);
    desk.toggleRecording();
    run(5, 1234);
    expect(desk.recording.value).toEqual({ seconds: 1.2, dropped: 0 });
    desk.toggleRecording();
    expect(desk.recording.value).toBeUndefined();
    expect(desk.takes.value).toMatchObject([{ id: 1, name: 'Take 1', seconds: expect.closeTo(1.233, 6) }]);
    expect(desk.replay.value).toMatchObject({ id: 1, time: 0, isPlaying: false });
    expect(shown).toEqual([0]);
  });

  it('plays back by the clock, and goes back to the loop', () => {
    const { desk, shown } = deskWithTake();
    desk.togglePlaying();
    desk.frame(100);
    desk.frame(350);
    expect(desk.replay.value).toMatchObject({ time: expect.closeTo(0.25, 9), isPlaying: true });
    desk.setSpeed(0.5);
    desk.seek(0.8);
    desk.frame(450);
    expect(desk.replay.value).toMatchObject({ time: expect.closeTo(0.85, 9), speed: 0.5 });
    expect(shown.at(-1)).toBeCloseTo(0.85, 9);
    desk.leaveReplay();
    expect(desk.replay.value).toBeUndefined();
    expect(shown.at(-1)).toBeUndefined();
  });

  it('renames and removes', () => {
    const { desk } = deskWithTake();
    desk.rename(1, '  Peg in ');
    desk.rename(1, ' ');
    expect(desk.takes.value[0]!.name).toBe('Peg in');
    desk.remove(1);
    expect(desk.takes.value).toEqual([]);
    expect(desk.replay.value).toBeUndefined();
    expect(() => desk.motionOf(1)).toThrow(/no longer in the list/);
  });

  it('keeps what was recorded when the loop ends, and does not play it in another scene', () => {
    const { desk, loop, rows, run } = deskWithTake();
    desk.toggleRecording();
    expect(desk.replay.value).toBeUndefined();
    run(9, 99);
    // No picture was drawn since.
    rows.put(sampleRow(9.5, 0));
    desk.attach({ ...loop, bodies: new Map() });
    expect(desk.takes.value.map(({ name }) => name)).toEqual(['Take 1', 'Take 2']);
    expect(desk.words.value).toMatch(/ended with the loop/);
    desk.openReplay(2);
    expect(desk.replay.value).toBeUndefined();
    expect(desk.motionOf(2)).toMatchObject({ tool: 'ball', trajectory: { count: 100 } });
    desk.toggleRecording();
    desk.toggleRecording();
    expect(desk.words.value).toMatch(/^Nothing was recorded/);
    desk.detach();
    expect(desk.canRecord.value).toBe(false);
  });

  it('writes files under the name of the take', async () => {
    const { desk, saved } = deskWithTake();
    desk.rename(1, 'Peg in hole');
    await desk.save(1, 'csv', noPause);
    await desk.save(1, 'mcap', noPause);
    expect(saved).toEqual(['peg-in-hole.csv true', 'peg-in-hole.mcap true']);
    expect(desk.saving.value).toBeUndefined();
    expect(desk.words.value).toBe('');
  });
});
