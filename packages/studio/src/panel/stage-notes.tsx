/** What lies over the stage: progress, troubles, a hint for newcomers, legends. */
import type { ComponentChildren } from 'preact';
import { drawsClusters, hasLevels, isDeformable } from '../app/chosen-method.js';
import { openScene, sceneBefore } from '../app/scene-store.js';
import {
  hasToolMoved,
  isBuilding,
  isStopped,
  loopState,
  overlays,
  phase,
  progress,
  stageWarning,
  stress,
  type Trouble,
  trouble,
} from '../app/state.js';
import { ProgressLine } from '../controls/controls.js';
import { capitalise } from '../controls/words.js';
import type { StudioScene } from '../scene/scene.js';
import { DEPTH_RAMP, DISTANCE_RAMP, LEVEL_RAMP, rampGradient, STATE_COLOURS, STRESS_RAMP } from '../stage/colours.js';
import { formatStress } from '../stage/stress-scale.js';

interface StageNotesProps {
  readonly scene: StudioScene;
  readonly onCancel: () => void;
  readonly onStartAgain: () => void;
}

export function StageNotes({ scene, onCancel, onStartAgain }: StageNotesProps) {
  return (
    <>
      <div class="stage-card-place" role="status">
        {trouble.value ? (
          <TroubleCard {...trouble.value} />
        ) : phase.value === 'loading' ? (
          <ProgressCard onCancel={onCancel} />
        ) : phase.value === 'cancelled' ? (
          <CancelledCard onStartAgain={onStartAgain} />
        ) : null}
      </div>
      {phase.value === 'ready' && !trouble.value && !isStopped.value && (
        <p class="hint" data-done={hasToolMoved.value} aria-hidden={hasToolMoved.value}>
          Drag the {scene.tool.label} onto the {scene.environment.label}
        </p>
      )}
      {phase.value === 'ready' && stageWarning.value && !trouble.value && (
        <p class="hint warning" role="status">
          {stageWarning.value}
        </p>
      )}
      {phase.value === 'ready' && <Legends />}
    </>
  );
}

function TroubleCard({ title, text, action }: Trouble) {
  return (
    <div class="card trouble">
      <h2>{title}</h2>
      <p>{text}</p>
      {action && (
        <button type="button" class="primary" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** Who gave up on one scene wants the other back. */
function CancelledCard({ onStartAgain }: Pick<StageNotesProps, 'onStartAgain'>) {
  const before = sceneBefore.value;
  return (
    <div class="card trouble">
      <h2>Preparation cancelled</h2>
      <p>Nothing can be touched yet: the data for finding contacts has not been built.</p>
      <div class="card-actions">
        {before && (
          <button type="button" class="primary" onClick={() => openScene(before)}>
            Back to {before.name}
          </button>
        )}
        <button type="button" class={before ? '' : 'primary'} onClick={onStartAgain}>
          Prepare again
        </button>
      </div>
    </div>
  );
}

function ProgressCard({ onCancel }: { onCancel: () => void }) {
  return (
    <div class="card progress-card">
      <h2>{isBuilding.value ? 'Preparing the scene' : 'Loading the scene'}</h2>
      {progress.value.map((line) => (
        <ProgressLine key={line.label} {...line} title={capitalise(line.label)} />
      ))}
      {isBuilding.value && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}

const DISC = 'M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10z';

/** The shapes that the stage draws. */
const STATE_MARKS = [
  ['stick', 'sticks', DISC],
  ['slip', 'slides', 'M6 .8L11.2 6L6 11.2L.8 6z'],
  ['none', 'no friction', `${DISC}M6 4.4a1.6 1.6 0 1 0 0 3.2a1.6 1.6 0 1 0 0-3.2z`],
] as const;

function Legends() {
  const { inside, outside, rangeMm, stepMm } = DISTANCE_RAMP;
  const showsContacts = overlays.contacts.value;
  const hasStates = loopState.value === 'running' || loopState.value === 'starting';
  return (
    <div class="legends">
      {overlays.slice.value && (
        <Bar
          words={`Distance to the surface, a line every ${stepMm} mm`}
          colours={`linear-gradient(to right, ${inside.deep}, ${inside.near} 50%, ${outside.near} 50%, ${outside.far})`}
          marks={[`−${rangeMm} mm inside`, '0', `${rangeMm} mm outside`]}
        />
      )}
      {showsContacts && hasStates && (
        <figure class="legend">
          <figcaption>{drawsClusters.value ? 'Clusters' : 'Contacts'}: arrows longer for more force</figcaption>
          <span class="legend-marks">
            {STATE_MARKS.map(([state, label, shape]) => (
              <span key={state}>
                <svg viewBox="0 0 12 12" aria-hidden="true">
                  <path d={shape} fill={STATE_COLOURS[state]} fill-rule="evenodd" stroke="#21191f" stroke-width="1.3" />
                </svg>
                {label}
              </span>
            ))}
          </span>
        </figure>
      )}
      {overlays.stress.value && isDeformable.value && (
        <Bar
          words={
            <>
              Stress, at most <span class="figures">{formatStress(stress.now.value)}</span> now
            </>
          }
          colours={rampGradient(STRESS_RAMP)}
          marks={['0', `${formatStress(stress.top.value)} and more`]}
        />
      )}
      {overlays.levels.value && hasLevels.value && (
        <Bar
          words="Levels of detail that touch"
          colours={rampGradient(LEVEL_RAMP)}
          marks={['fine', 'coarse']}
          class="legend-ends"
        />
      )}
      {showsContacts && !hasStates && (
        <Bar
          words="Depth of a contact"
          colours={rampGradient(DEPTH_RAMP.stops)}
          marks={[`${DEPTH_RAMP.fromMm} mm`, `${DEPTH_RAMP.toMm} mm and more`]}
        />
      )}
    </div>
  );
}

interface BarProps {
  readonly words: ComponentChildren;
  readonly colours: string;
  readonly marks: readonly string[];
  /** Of the marks: figures, unless given otherwise. */
  readonly class?: string;
}

function Bar({ words, colours, marks, class: name = 'legend-ends figures' }: BarProps) {
  return (
    <figure class="legend">
      <figcaption>{words}</figcaption>
      <span class="legend-bar" style={{ background: colours }} />
      <span class={name}>
        {marks.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </span>
    </figure>
  );
}
