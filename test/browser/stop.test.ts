/** Whatever happens to the loop, the hand can get rid of the force: by the emergency stop, and when the loop hangs. */
import { FAULT_EMERGENCY_STOP } from '@palpable/engine';
import { LIVE_COLUMNS } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import {
  button,
  download,
  eventually,
  open,
  page,
  pressOntoLid,
  readForce,
  readState,
  rest,
  useStudio,
} from './studio.js';

useStudio();

const stopButton = () => button(/^Emergency stop/);
const stopWords = () => page.getByRole('alert').getByText('Stopped: no force until you release it');
const shownForce = async () => Number(await page.locator('[data-reading="force"] .figures').textContent());

/** Until the force is shown. */
async function press(): Promise<void> {
  await pressOntoLid();
  await eventually(shownForce).toBeGreaterThan(0.5);
}

const save = async (format: 'CSV' | 'MCAP') => (await download(() => button(new RegExp(`as ${format}$`)).click())).text;

describe('the emergency stop', () => {
  it('takes the force away until it is released, whatever else is pressed, and a take tells of it', async () => {
    await open();
    await button(/^Record/).click();
    await press();
    await stopButton().click();
    await stopWords().waitFor();
    await eventually(shownForce).toBe(0);
    await page.keyboard.press('p');
    await button('Resume').waitFor();
    await page.keyboard.press('p');
    await button('Pause').waitFor();
    await page.keyboard.press('Space');
    const { cycles } = (await readState()).loop!;
    await eventually(async () => (await readState()).loop!.cycles).toBeGreaterThan(cycles + 300);
    expect(await readForce()).toBe(0);
    expect(await stopWords().isVisible()).toBe(true);

    await button('Release').click();
    await eventually(shownForce).toBeGreaterThan(0.5);
    expect(await stopWords().count()).toBe(0);
    await button(/^End/).click();
    await button(/^Takes/).click();
    const rows = (await save('CSV')).trimEnd().split('\n').slice(1);
    const cell = (row: string, column: (typeof LIVE_COLUMNS)[number]) =>
      Number(row.split(',')[LIVE_COLUMNS.indexOf(column)]);
    const isStopped = (row: string) => (cell(row, 'faults') & FAULT_EMERGENCY_STOP) !== 0;
    const [first, last] = [rows.findIndex(isStopped), rows.findLastIndex(isStopped)];
    expect(rows.slice(first + 10, last).every((row) => isStopped(row) && cell(row, 'fz') === 0)).toBe(true);
    const back = rows.slice(last + 1).find((row) => cell(row, 'gain') === 1);
    expect(cell(back!, 'time') - cell(rows[last]!, 'time')).toBeGreaterThan(0.1);
    const commands = [...(await save('MCAP')).matchAll(/"command":\{"kind":"(\w+)"/g)].map(([, kind]) => kind);
    // Those of the stop overtake the others.
    expect(commands.filter((kind) => kind === 'halt' || kind === 'release')).toEqual(['halt', 'halt', 'release']);
    expect([...commands].sort()).toEqual(['halt', 'halt', 'pause', 'release', 'resume']);
  });

  it('is hit by Space, also over a sheet and from a button, but not while somebody types', async () => {
    await open();
    const filter = page.getByRole('textbox', { name: 'Filter the parameters' });
    await filter.click();
    await page.keyboard.type('a b');
    expect(await filter.inputValue()).toBe('a b');
    await filter.fill('');
    expect((await readState()).loop!.isStopped).toBe(false);
    // A switch that was reached with the keyboard is switched by Space.
    const slice = page.getByRole('switch', { name: 'Slice' });
    await page.keyboard.press('Tab');
    await slice.focus();
    await page.keyboard.press('Space');
    expect([await slice.isChecked(), (await readState()).loop!.isStopped]).toEqual([true, false]);

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Mouse, touch and keys' });
    await help.waitFor();
    expect(await help.locator('dt').allTextContents()).toContain('Space');
    await page.keyboard.press('Space');
    await eventually(async () => (await readState()).loop!.isStopped).toBe(true);
    expect(await help.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    // Not even on its own button does Space release it.
    await button('Release').focus();
    await page.keyboard.press('Space');
    expect(await stopWords().isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await eventually(() => stopWords().count()).toBe(0);

    // A page that is left for good ends its threads rather than only letting go.
    const loops = () => page.workers().filter((worker) => worker.url().includes('servo-worker')).length;
    expect(loops()).toBe(1);
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false })));
    await eventually(loops).toBe(0);
  });
});

describe('a loop that hangs', () => {
  it('gives no force at once, is given up soon, keeps the take, and can be started again, still stopped', async () => {
    // The command to pause never ends.
    await page.route('**/servo-worker-*.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `(${hangOnCommands})();${await response.text()}` });
    });
    await open();
    await press();
    await page.evaluate(watchWords);
    await button(/^Record/).click();
    const { cycles } = (await readState()).loop!;
    await eventually(async () => (await readState()).loop!.cycles).toBeGreaterThan(cycles + 50);
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'The loop has stopped' }).waitFor();
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect(seen.find((text) => text.includes('does not answer'))).toMatch(/^0\.00 N .*: no force$/);
    await eventually(() => button(/^Takes/).textContent()).toContain('1');
    await page.getByText('The recording ended with the loop').waitFor();

    await page.unroute('**/servo-worker-*.js');
    await page.keyboard.press('Space');
    await button('Start it again').click();
    await eventually(async () => (await readState()).loop?.cycles ?? 0).toBeGreaterThan(300);
    expect((await readState()).trouble).toBeUndefined();
    expect(await readForce()).toBe(0);
    expect(await stopWords().isVisible()).toBe(true);
    await button('Release').click();
    await eventually(shownForce).toBeGreaterThan(0.5);
    await rest();
    // The take holds what came before, and can be played back again.
    await button(/^Takes/).click();
    expect(await button('Replay').isEnabled()).toBe(true);
  });
});

/** Runs in the worker, before its own script. */
function hangOnCommands(): void {
  const parse = JSON.parse;
  JSON.parse = (text: string) => {
    while (text.includes('"pause"'));
    return parse(text);
  };
}

/** Notes what the panel says of the loop, with the force beside it. Runs in the page. */
function watchWords(): void {
  const seen: string[] = [];
  Object.assign(window, { seen });
  const words = document.querySelector('.loop-run span')!;
  new MutationObserver(() => {
    const force = document.querySelector('[data-reading="force"] dd')!.textContent;
    seen.push(`${force} ${words.textContent}`);
  }).observe(words, { childList: true, characterData: true, subtree: true });
}
