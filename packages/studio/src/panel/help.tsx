/** Mouse, touch and keys on one sheet. Opens with "?", closes with Escape; the browser keeps the focus inside. */
import { useEffect, useRef } from 'preact/hooks';
import { isHelpOpen } from '../app/state.js';
import type { StudioScene } from '../scene/scene.js';
import { capitalise } from './words.js';

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
      ['Drag elsewhere', 'Turn the view'],
      ['Right drag', 'Shift the view'],
      ['Wheel', 'Zoom to the pointer'],
    ],
    keys: [
      ['← → ↑ ↓', `Move ${tool} by 2 mm`],
      ['Page Up, Page Down', 'Farther, nearer'],
      ['Alt + these', 'By 0.2 mm'],
      ['Shift + these', 'Turn it by 3°'],
      ['R', `${capitalise(tool)} back to its start`],
      ['F', 'Whole view'],
      ['1 – 6', 'Switch what is shown'],
      ['[ ]', 'Move the slice by 5 mm'],
      ['?', 'This sheet'],
    ],
    touch: [
      [`One finger on ${tool}`, 'Move it'],
      ['One finger elsewhere', 'Turn the view'],
      ['Two fingers', 'Zoom and shift the view'],
    ],
  };
}
