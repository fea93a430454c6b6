/** How the contacts of the moment are coupled: the Delassus operator, in colours. */
import { DELASSUS_CONTACTS, DELASSUS_SHOWN, type DelassusPicture } from '@palpable/engine/advanced';
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { delassus, isDelassusOpen } from '../app/state.js';
import { formatCoupling, paintCouplings, strongestCouplings } from '../plots/coupling-picture.js';
import { COUPLING_COLOURS, COUPLING_GROUND, parseHex } from '../stage/colours.js';

const DIRECTIONS = ['Normal', 'Tangent 1', 'Tangent 2'] as const;

/** Which directions are shown. */
const shown = signal<readonly boolean[]>([true, true, true]);

export function DelassusSection() {
  return (
    <section class="section" aria-label="Coupling of contacts">
      <details
        class="delassus"
        open={isDelassusOpen.value}
        onToggle={(event) => (isDelassusOpen.value = event.currentTarget.open)}
      >
        <summary>
          <h2>Coupling of contacts</h2>
        </summary>
        {isDelassusOpen.value && <Operator />}
      </details>
    </section>
  );
}

function Operator() {
  const picture = delassus.value;
  const count = picture?.counts[DELASSUS_SHOWN] ?? 0;
  return (
    <>
      <div class="delassus-picture" data-contacts={count}>
        {picture && count > 0 ? (
          <Picture picture={picture} count={count} />
        ) : (
          <p>No contacts. Press bodies together to see which contacts move each other.</p>
        )}
      </div>
      <p class="delassus-words">{describe(picture, count)}</p>
      <Legend picture={picture} />
    </>
  );
}

function Picture({ picture, count }: { picture: DelassusPicture; count: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const directions = shown.value;
  useEffect(() => {
    const pixels = paintCouplings(picture, {
      ground: parseHex(COUPLING_GROUND),
      colours: COUPLING_COLOURS.map(parseHex),
      shown: directions,
    });
    canvas.current!.getContext('2d')!.putImageData(new ImageData(pixels, count, count), 0, 0);
  }, [picture, directions]);
  return (
    <canvas
      ref={canvas}
      width={count}
      height={count}
      role="img"
      aria-label={`Delassus operator of ${count} contacts: rows and columns are contacts, strong colours move each other`}
    />
  );
}

function describe(picture: DelassusPicture | undefined, count: number): string {
  if (!picture || count === 0) return 'Rows and columns will be contacts.';
  const all = picture.counts[DELASSUS_CONTACTS]!;
  const which = all > count ? `${count} of ${all} contacts` : count === 1 ? '1 contact' : `${count} contacts`;
  return `${which}: how much a force at one (column) moves another (row).`;
}

/** Each colour can be left out, for those who cannot distinguish them. */
function Legend({ picture }: { picture: DelassusPicture | undefined }) {
  const strongest = picture ? strongestCouplings(picture) : [0, 0, 0];
  return (
    <div class="delassus-legend">
      {DIRECTIONS.map((name, k) => (
        <button
          key={name}
          type="button"
          aria-pressed={shown.value[k]!}
          title={`Show or hide couplings along the ${name.toLowerCase()}`}
          onClick={() => (shown.value = shown.value.with(k, !shown.value[k]))}
        >
          <span class="swatch" style={{ background: COUPLING_COLOURS[k] }} aria-hidden="true" />
          <span>{name}</span>
          <span class="figures">{strongest[k]! > 0 ? `≤ ${formatCoupling(strongest[k]!)}` : '–'}</span>
        </button>
      ))}
    </div>
  );
}
