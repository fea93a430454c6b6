/** What the dropped files hold, in plain words, and what is to become of them. */
import { describeAudit, isPalpableError, type LengthUnit, metresPerUnit } from '@palpable/engine';
import { nextOwnId, openScene } from '../app/scene-store.js';
import { Dialog } from '../gallery/dialog.js';
import { openOwnScene } from '../gallery/gallery.js';
import { Choice } from '../panel/controls.js';
import { broughtSources } from './brought-sources.js';
import { composeScene, type SceneBefore } from './compose-scene.js';
import './drop.css';
import { dismissFiles, dropped, isDropOpen } from './dropped.js';
import { OpenFilesButton } from './open-files-button.js';
import { type Part, type PartRole, scaleAudit } from './part.js';

interface DropDialogProps {
  /** The scene on the stage; undefined until its meshes are known. */
  readonly readBefore: () => SceneBefore | undefined;
}

export function DropDialog({ readBefore }: DropDialogProps) {
  const state = dropped.value;
  return (
    <Dialog title={titleOf(state?.kind)} isOpen={isDropOpen} class="drop" onClose={dismissFiles}>
      {state?.kind === 'reading' && (
        <div role="status">
          <p>Reading {state.names.join(', ')} …</p>
          <progress aria-label="Reading the files" />
        </div>
      )}
      {state?.kind === 'refused' && (
        <>
          <p class="drop-problem" role="alert">
            {state.text}
          </p>
          <p>The scene on the stage is as it was.</p>
          <div class="drop-actions">
            <OpenFilesButton />
          </div>
        </>
      )}
      {state?.kind === 'parts' && <PartsSheet parts={state.parts} readBefore={readBefore} />}
    </Dialog>
  );
}

function titleOf(kind: 'reading' | 'parts' | 'refused' | undefined): string {
  return kind === 'refused' ? 'This cannot be opened' : 'Your parts';
}

function PartsSheet({ parts, readBefore }: { readonly parts: readonly Part[] } & DropDialogProps) {
  const change = (index: number, wish: Partial<Part>) => {
    dropped.value = { kind: 'parts', parts: parts.with(index, { ...parts[index]!, ...wish }) };
  };
  const tools = parts.filter(({ role }) => role === 'tool').length;
  const before = readBefore();
  return (
    <>
      {parts.map((part, index) => (
        <PartCard key={part.fileName} part={part} index={index} onChange={(wish) => change(index, wish)} />
      ))}
      {tools > 1 && <p class="drop-problem">Only one part can be the tool; let the others stand still.</p>}
      {!before && <p>The scene on the stage is still being loaded; this can go on in a moment.</p>}
      <div class="drop-actions">
        <button type="button" onClick={dismissFiles}>
          Leave it
        </button>
        <button type="button" class="primary" disabled={tools > 1} onClick={() => begin(readBefore(), parts)}>
          Prepare and touch
        </button>
      </div>
    </>
  );
}

const UNITS: readonly { value: LengthUnit; label: string }[] = [
  { value: 'mm', label: 'mm' },
  { value: 'cm', label: 'cm' },
  { value: 'm', label: 'm' },
  { value: 'in', label: 'inch' },
];

const ROLES: readonly { value: PartRole; label: string }[] = [
  { value: 'tool', label: 'Tool in the hand' },
  { value: 'environment', label: 'What it touches' },
  { value: 'addition', label: 'One more beside' },
];

interface PartCardProps {
  readonly part: Part;
  readonly index: number;
  readonly onChange: (wish: Partial<Part>) => void;
}

function PartCard({ part, index, onChange }: PartCardProps) {
  const audit = scaleAudit(part.audit, metresPerUnit(part.unit));
  return (
    <section class="drop-part" aria-label={part.fileName}>
      <h3>{part.fileName}</h3>
      <ul>
        {[...describeAudit(audit), ...part.warnings, ...doubtsAbout(Math.max(...audit.size))].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Choice
        legend="One unit of the file is a"
        name={`unit-${index}`}
        options={UNITS}
        value={part.unit}
        onChoose={(unit) => onChange({ unit })}
      />
      <Choice
        legend="It becomes"
        name={`role-${index}`}
        options={ROLES}
        value={part.role}
        onChoose={(role) => onChange({ role })}
        isWide
      />
    </section>
  );
}

/** Longest sides that are hard to handle, metres. */
function doubtsAbout(length: number): string[] {
  if (length > 3) return ['This is larger than arms reach: check the unit.'];
  if (length < 0.002) return ['This is smaller than fingers can feel: check the unit.'];
  return [];
}

function begin(before: SceneBefore | undefined, parts: readonly Part[]): void {
  if (!before) return;
  try {
    const files = broughtSources(before, parts);
    openScene(openOwnScene(nextOwnId(), composeScene(before, parts), files));
    isDropOpen.value = false;
  } catch (error) {
    if (!isPalpableError(error)) throw error;
    dropped.value = { kind: 'refused', text: error.message };
  }
}
