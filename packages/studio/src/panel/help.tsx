/** Mouse, touch and keys on one sheet, which opens with "?". */
import { keyCommands } from '../app/keyboard.js';
import { isHelpOpen } from '../app/state.js';
import { Dialog } from '../controls/dialog.js';
import type { StudioScene } from '../scene/scene.js';

type Row = readonly [keys: string, meaning: string];

export function Help({ scene }: { scene: StudioScene }) {
  const { mouse, touch, keys } = describeHandling(scene);
  return (
    <Dialog title="Mouse, touch and keys" isOpen={isHelpOpen.value} onClose={() => (isHelpOpen.value = false)}>
      <div class="help-columns">
        <Table title="Mouse" rows={mouse} />
        <Table title="Keys" rows={keys} />
        <Table title="Touch" rows={touch} />
      </div>
    </Dialog>
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
      ['… and scroll', 'Move it nearer or farther'],
      ['… and hold Shift', 'Rotate it'],
      [`Double click ${tool}`, 'Grab it without a button; click to let go'],
      ['Alt + wheel', 'Nearer or farther without dragging'],
      ['Drag elsewhere', 'Rotate the view about the point under the pointer'],
      ['Middle or right drag', 'Pan the view'],
      ['Wheel', 'Zoom to the pointer'],
      ['Double click elsewhere', 'Centre a point'],
      ['Drop files', 'Open your own parts (STL, OBJ, PLY, GLB, STEP, tetrahedra) or a scene'],
    ],
    keys: keyCommands().map(({ keys, meaning }) => [keys, meaning(tool)]),
    touch: [
      [`One finger on ${tool}`, 'Move it'],
      ['One finger elsewhere', 'Rotate the view'],
      ['Two fingers', 'Zoom, pan and rotate the view'],
      [`A second finger while one holds ${tool}`, 'Pinch: nearer or farther; twist: rotate it'],
      ['A third finger beside the second', 'Rotate it about the other axes'],
    ],
  };
}
