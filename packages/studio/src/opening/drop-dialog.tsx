/** What the dropped files hold, in plain words, and what is to become of them. */
import { describeAudit, isPalpableError, type LengthUnit } from '@palpable/engine';
import { metresPerUnit } from '@palpable/engine/advanced';
import { nextOwnId, openScene } from '../app/scene-store.js';
import { progress } from '../app/state.js';
import { Choice, ProgressLine } from '../controls/controls.js';
import { Dialog } from '../controls/dialog.js';
import { broughtSources, composeScene, type SceneBefore } from '../drop/compose-scene.js';
import { openOwnScene } from '../gallery/gallery.js';
import './drop.css';
import { type Part, type PartRole, scaleAudit } from '../drop/part.js';
import { type Dropped, dismissFiles, dropped, type FileProgress, isDropOpen } from './dropped.js';
import { OpenFilesButton } from './open-files-button.js';

interface DropDialogProps {
  /** The scene on the stage; undefined until its meshes are known. */
  readonly readBefore: () => SceneBefore | undefined;
}

export function DropDialog({ readBefore }: DropDialogProps) {
  const state = dropped.value;
  return (
    <Dialog title={titleOf(state)} isOpen={isDropOpen.value} class="drop" onClose={dismissFiles}>
      {state?.kind === 'reading' && <ReadingSheet files={state.files} />}
      {state?.kind === 'refused' && <RefusalSheet {...state} />}
      {state?.kind === 'parts' && <PartsSheet {...state} readBefore={readBefore} />}
    </Dialog>
  );
}

function titleOf(state: Dropped | undefined): string {
  if (state?.kind !== 'refused') return 'Your parts';
  return state.readable.length > 0 ? 'Some of these files cannot be opened' : 'This cannot be opened';
}

function ReadingSheet({ files }: { readonly files: readonly FileProgress[] }) {
  return (
    <>
      <div class="drop-reading">
        {files.map(({ name, stage, fraction }) => (
          <ProgressLine key={name} label={name} title={name} stage={stage} fraction={fraction} />
        ))}
      </div>
      <div class="drop-actions">
        <button type="button" onClick={dismissFiles}>
          Cancel
        </button>
      </div>
    </>
  );
}

function RefusalSheet({ text, readable }: { text: string; readable: readonly Part[] }) {
  const goOn = () => (dropped.value = { kind: 'parts', parts: readable, leftOut: [] });
  return (
    <>
      <p class="drop-problem" role="alert">
        {text.split('\n').map((fault) => (
          <span class="drop-fault" key={fault}>
            {fault}{' '}
          </span>
        ))}
      </p>
      <p>The scene on the stage is unchanged.</p>
      <div class="drop-actions">
        <OpenFilesButton />
        {readable.length > 0 && (
          <button type="button" class="primary" onClick={goOn}>
            Continue with {readable.length === 1 ? readable[0]!.fileName : `the other ${readable.length}`}
          </button>
        )}
      </div>
    </>
  );
}

interface PartsSheetProps extends DropDialogProps {
  readonly parts: readonly Part[];
  readonly leftOut: readonly string[];
}

function PartsSheet({ parts, leftOut, readBefore }: PartsSheetProps) {
  const change = (index: number, wish: Partial<Part>) => {
    dropped.value = { kind: 'parts', parts: parts.with(index, { ...parts[index]!, ...wish }), leftOut };
  };
  const tools = parts.filter(({ role }) => role === 'tool').length;
  // Asked again whenever something of the loading changes, since only then can it be known.
  progress.value;
  const before = readBefore();
  return (
    <>
      {parts.map((part, index) => (
        <PartCard key={part.fileName} part={part} index={index} onChange={(wish) => change(index, wish)} />
      ))}
      {leftOut.length > 0 && <p class="drop-remark">Ignored, since you cannot feel colours: {leftOut.join(', ')}.</p>}
      {tools > 1 && <p class="drop-problem">Only one part can be the tool; choose another role for the rest.</p>}
      {!before && <p class="drop-remark">The scene on the stage is still loading; you can continue in a moment.</p>}
      <div class="drop-actions">
        <button type="button" onClick={dismissFiles}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          disabled={tools > 1 || !before}
          onClick={() => begin(readBefore(), parts)}
        >
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
  { value: 'environment', label: 'Environment' },
  { value: 'addition', label: 'Add beside it' },
];

const MATERIALS = [
  { value: 'rigid', label: 'Rigid' },
  { value: 'soft', label: 'Soft' },
] as const;

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
      {part.format === 'step' ? (
        <p class="drop-remark">The file states its own unit.</p>
      ) : (
        <Choice
          legend="Unit of the file"
          name={`unit-${index}`}
          options={UNITS}
          value={part.unit}
          onChoose={(unit) => onChange({ unit })}
        />
      )}
      <Choice
        legend="Use it as"
        name={`role-${index}`}
        options={ROLES}
        value={part.role}
        onChoose={(role) => onChange({ role })}
        isWide
      />
      <MaterialChoice part={part} index={index} onChange={onChange} />
    </section>
  );
}

/** Only what encloses a volume can be filled with something that gives way. */
function MaterialChoice({ part: { audit, isSoft, role }, index, onChange }: PartCardProps) {
  if (!audit.closed) return <p class="drop-remark">It stays rigid: only closed parts can be soft.</p>;
  return (
    <>
      <Choice
        legend="Material"
        name={`material-${index}`}
        options={MATERIALS}
        value={isSoft ? 'soft' : 'rigid'}
        onChoose={(chosen) => onChange({ isSoft: chosen === 'soft' })}
      />
      {isSoft && (
        <p class="drop-remark">
          {role === 'tool' ? 'You hold it around its middle.' : 'It is held at its lower end.'} You can change its
          stiffness while you touch it.
        </p>
      )}
    </>
  );
}

/** Longest sides that are hard to handle, metres. */
function doubtsAbout(length: number): string[] {
  if (length > 3) return ["This is larger than an arm's reach: check the unit."];
  if (length < 0.002) return ['This is too small to feel: check the unit.'];
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
    dropped.value = { kind: 'refused', text: error.message, readable: [] };
  }
}
