/** The studio where something is missing or breaks: it says what happened, and stays alive. */
import { describe, expect, it } from 'vitest';
import {
  button,
  complaints,
  eventually,
  goTo,
  open,
  page,
  pressOntoLid,
  readLoop,
  readState,
  ready,
  rest,
  useStudio,
} from './studio.js';

useStudio();

async function expectContacts(): Promise<void> {
  await pressOntoLid();
  await rest();
  expect((await readState()).contacts).toBeGreaterThan(0);
}

/** As a host would serve the page that does not send the two headers. */
async function withoutIsolation(): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().url().endsWith('.palpable')) return route.fallback();
    const response = await route.fetch();
    const headers = { ...response.headers() };
    delete headers['cross-origin-opener-policy'];
    delete headers['cross-origin-embedder-policy'];
    await route.fulfill({ response, headers });
  });
}

/** The browser itself notes files that the test took away on purpose. */
function forgetMissingFiles(): void {
  const own = complaints.filter((text) => !text.startsWith('Failed to load resource'));
  complaints.splice(0, complaints.length, ...own);
}

describe('without prepared assets', () => {
  it('prepares in the page with progress, which can be cancelled and started again, and touches', async () => {
    await goTo('?resolution=40');
    await page.getByRole('heading', { name: 'Preparing the scene' }).waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(2);
    // By key: a click would wait until the button stands still, and the preparation does not wait.
    await button('Cancel').press('Enter');
    await page.getByRole('heading', { name: 'Preparation cancelled' }).waitFor();
    expect((await readState()).phase).toBe('cancelled');
    await button('Prepare again').click();
    await page.getByRole('heading', { name: 'Preparing the scene' }).waitFor();
    await ready();
    expect((await readState()).origin).toEqual({ tool: 'built', environment: 'built' });
    expect(await page.getByText('Prepared in this tab').isVisible()).toBe(true);
    await expectContacts();
  });

  it.each(['missing', 'truncated'])('builds what is %s and takes the rest', async (what) => {
    await page.route('**/assets/bunny.palpable', async (route) => {
      if (what === 'missing') return route.fulfill({ status: 404 });
      const response = await route.fetch();
      const whole = await response.body();
      // Its length is another one, and its bytes are not packed any more.
      const { 'content-length': _, 'content-encoding': __, ...headers } = response.headers();
      return route.fulfill({ status: 200, headers, body: whole.subarray(0, Math.floor(0.7 * whole.length)) });
    });
    await open();
    expect((await readState()).origin).toEqual({ tool: 'built', environment: 'asset' });
    await expectContacts();
    forgetMissingFiles();
  });

  it('says so when the mesh is missing as well, and tries again when asked', async () => {
    await page.route('**/*.obj', (route) => route.fulfill({ status: 404 }));
    await goTo('?resolution=24');
    await page.getByRole('heading', { name: 'The scene could not be loaded' }).waitFor();
    expect(await page.getByText(/(bunny|teapot)\.obj is missing on the host/).isVisible()).toBe(true);
    await page.unroute('**/*.obj');
    await button('Try again').click();
    await ready();
    expect((await readState()).phase).toBe('ready');
    forgetMissingFiles();
  });
});

describe('in a browser that lacks something', () => {
  it('works through messages where the page is not isolated, and starts the contact thread again when it dies', async () => {
    await withoutIsolation();
    await page.route('**/contact-worker-*.js', (route) => route.abort());
    await goTo();
    await page.getByRole('heading', { name: 'The contacts have stopped' }).waitFor();
    await page.unroute('**/contact-worker-*.js');
    await button('Start it again').click();
    await ready();
    expect(await readState()).toMatchObject({ trouble: undefined, transport: 'messages', loop: undefined });
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(await page.getByText('No shared memory').isVisible()).toBe(true);
    expect(await page.getByText('no loop runs').isVisible()).toBe(true);
    expect(await page.getByRole('region', { name: 'Feel' }).count()).toBe(0);
    await expectContacts();
    const { toolPose, devicePose } = await readState();
    expect(toolPose).toEqual(devicePose);
    forgetMissingFiles();
  });

  it('says what to do where there is no WebGL, and keeps the panel alive', async () => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await goTo();
    await page.getByRole('heading', { name: 'This browser cannot draw in 3D' }).waitFor();
    expect((await readState()).phase).toBe('failed');
    await button('Help').click();
    await page.getByRole('dialog', { name: 'Mouse, touch and keys' }).waitFor();
  });

  it('offers to start the loop again when it dies; the bunny can be moved meanwhile', async () => {
    await page.route('**/servo-worker-*.js', (route) => route.abort());
    await goTo();
    await page.getByRole('heading', { name: 'The loop has stopped' }).waitFor();
    await ready();
    await expectContacts();
    const { toolPose, devicePose } = await readState();
    expect(toolPose).toEqual(devicePose);
    expect(await button('Pause').isDisabled()).toBe(true);

    await page.unroute('**/servo-worker-*.js');
    await button('Start it again').click();
    await eventually(async () => (await readState()).loop?.cycles ?? 0).toBeGreaterThan(0);
    expect((await readState()).trouble).toBeUndefined();
    await rest();
    // It begins where the scene puts the bunny, and stops at the lid.
    expect((await readLoop()).gap).toBeGreaterThan(0.001);
    forgetMissingFiles();
  });
});
