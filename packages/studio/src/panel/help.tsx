/** Mouse, touch and keys on one sheet. Opens with "?", closes with Escape; the browser keeps the focus inside. */
import { useEffect, useRef } from 'preact/hooks';
import { OVERLAY_KEYS } from '../app/keyboard.js';
import { isHelpOpen } from '../app/state.js';
import type { StudioScene } from '../scene/scene.js';
import { capitalise } from './words.js';

const OVERLAY_LETTERS = Object.values(OVERLAY_KEYS).join(' ');

type Row = readonly [keys: string, meaning: string];

export function Help({ scene }: { scene: StudioScene }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen && !dialog.current!.open) dialog.current!.showModal();
    if (!isOpen && dialog.current!.open) dialog.current!.close();
  }, [isOpen]);
  const close = () => {
    isHelpOpen.value = false;
  };
  const { mouse, touch, keys } = describeHandling(scene);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <header>
        <h2 id="help-title">Mouse, touch and keys</h2>
        <button type="button" onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      <div class="help-columns">
        <Table title="Mouse" rows={mouse} />
        <Table title="Keys" rows={keys} />
        <Table title="Touch" rows={touch} />
      </div>
    </dialog>
  );
}

function Table({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function describeHandling(scene: StudioScene): { mouse: Row[]; touch: Row[]; keys: Row[] } {
  const tool = `the ${scene.tool.label}`;
  return {
    mouse: [
      [`Drag ${tool}`, 'Move it in the plane of the view'],
      ['… and turn the wheel', 'Move it nearer or farther'],
      ['… and hold Shift', 'Turn it'],
      ['Alt + wheel', 'Nearer or farther without dragging'],
      ['Drag elsewhere', 'Turn the view about the point under the pointer'],
      ['Middle or right drag', 'Shift the view'],
      ['Wheel', 'Zoom to the pointer'],
      ['Double click', 'Bring a point into the middle'],
      ['Drop files', 'Open your own parts (STL, OBJ, PLY, GLB) or a scene'],
    ],
    keys: [
      ['← → ↑ ↓', `Move ${tool} by 2 mm`],
      ['Page Up, Page Down', 'Farther, nearer'],
      ['Alt + these', 'By 0.2 mm'],
      ['Shift + these', 'Turn it by 3°'],
      ['R', `${capitalise(tool)} back to its start`],
      ['F or 0', 'Whole view'],
      ['1, 3, 7', 'From the front, the right, above'],
      [OVERLAY_LETTERS, 'Switch what is shown, in the order of the panel'],
      ['[ ]', 'Move the slice by 5 mm'],
      ['Ctrl + Z, Ctrl + Shift + Z', 'Undo and redo a change of a parameter'],
      ['G', 'Other scenes'],
      ['?', 'This sheet'],
    ],
    touch: [
      [`One finger on ${tool}`, 'Move it'],
      ['One finger elsewhere', 'Turn the view'],
      ['Two fingers', 'Zoom and shift the view'],
    ],
  };
}
