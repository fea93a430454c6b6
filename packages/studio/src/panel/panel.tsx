/** The panel: what is shown, what is measured, what can be switched. */
import { drawsClusters, hasLevels, isDeformable } from '../app/chosen-method.js';
import {
  facts,
  isSheetOpen,
  loopState,
  overlays,
  phase,
  sceneValue,
  shellShown,
  sliceAt,
  stress,
} from '../app/state.js';
import { chooseTheme, themeChoice } from '../app/theme.js';
import { Choice, Section, Slider } from '../controls/controls.js';
import { capitalise } from '../controls/words.js';
import { DevicePicker } from '../devices/device-picker.js';
import { ParametersSection } from '../parameters/parameters-section.js';
import type { StudioScene } from '../scene/scene.js';
import { LEVEL_RAMP, rampGradient, STRESS_RAMP } from '../stage/colours.js';
import { formatStress, STRESS_STEPS, stepOfStress, stressAtStep } from '../stage/stress-scale.js';
import { DelassusSection } from './delassus-section.js';
import { FeelSection } from './feel-section.js';
import { Readouts } from './readouts.js';
import { Switch } from './switch.js';

/** What the panel asks of the loop. */
interface LoopActions {
  setPaused(wished: boolean): void;
  /** Says why not, if it cannot be. */
  set(path: string, value: unknown): Promise<string | null>;
}

export function Panel({ scene, actions }: { scene: StudioScene; actions: LoopActions }) {
  return (
    <aside class="panel" aria-label="Scene and readings" data-open={isSheetOpen.value}>
      <SheetHandle />
      <header class="panel-head">
        <p class="wordmark">Palpable studio</p>
        <h1>{scene.name}</h1>
        <p class="explanation">{scene.explanation}</p>
      </header>
      <Readouts />
      <div class="panel-body">
        <FeelSection setPaused={actions.setPaused} />
        {loopState.value !== 'impossible' && (
          <ParametersSection
            // Each scene has a history of its own.
            key={scene.id}
            scene={sceneValue}
            set={actions.set}
            isDisabled={loopState.value !== 'running'}
          />
        )}
        <ShowSection scene={scene} />
        {isDeformable.value && <DelassusSection />}
        {has('field', scene) && <SliceSection scene={scene} />}
        <DevicePicker />
        <Foot />
      </div>
    </aside>
  );
}

function has(part: 'field' | 'shell', { tool, environments }: StudioScene): boolean {
  return [tool, ...environments].some(({ plan }) => plan[part]);
}

/** Only on a phone: pulls the sheet up and down. */
function SheetHandle() {
  return (
    <button
      type="button"
      class="sheet-handle"
      aria-expanded={isSheetOpen.value}
      aria-label={isSheetOpen.value ? 'Fold the panel away' : 'Unfold the panel'}
      onClick={() => (isSheetOpen.value = !isSheetOpen.value)}
    />
  );
}

function ShowSection({ scene }: { scene: StudioScene }) {
  const ends = shellShown.levelEnds.value;
  const showsShell = !hasLevels.value && has('shell', scene);
  const points = ends[shellShown.level.value];
  return (
    <Section title="Show">
      <div class="switches">
        <Switch label={capitalise(scene.tool.label)} overlay="tool" swatch="var(--stage-tool)" />
        <Switch label={capitalise(scene.environment.label)} overlay="environment" swatch="var(--stage-environment)" />
        {isDeformable.value && (
          <Switch
            label="Stress"
            overlay="stress"
            swatch={rampGradient(STRESS_RAMP)}
            title="Colour bodies that bend by the stress on their surface (von Mises)"
          />
        )}
        {showsShell && <Switch label="Shell" overlay="shell" swatch="var(--stage-shell)" />}
        <Switch
          label="Device"
          overlay="ghost"
          swatch="var(--stage-device)"
          title={`Show the device as a wireframe where the ${scene.tool.label} cannot follow it`}
        />
        <Switch
          label={drawsClusters.value ? 'Clusters' : 'Contacts'}
          overlay="contacts"
          swatch="var(--contact)"
          {...(drawsClusters.value && { title: 'Show the clusters of contacts: each acts as one contact' })}
        />
        {hasLevels.value && (
          <Switch
            label="Levels of detail"
            overlay="levels"
            swatch={rampGradient(LEVEL_RAMP)}
            title="Show the convex pieces that touch: light where they are fine, strong where they are coarse"
          />
        )}
        <Switch label="Wrench" overlay="wrench" swatch="var(--stage-force)" title="Show force and torque on the hand" />
        <Switch
          label="Normals"
          overlay="normals"
          title={`Show the force that pushes the ${scene.tool.label} out at each contact, longer for more force`}
        />
        <Switch label="Friction" overlay="friction" title="Show the friction at each contact, longer for more force" />
        <Switch label="Cones" overlay="cones" title="Show which forces friction can hold at each contact" />
      </div>
      {isDeformable.value && <StressScale />}
      {showsShell && (
        <Slider
          label="Shell up to level"
          value={shellShown.level.value}
          min={0}
          max={Math.max(1, ends.length - 1)}
          step={1}
          text={points === undefined ? '–' : `${shellShown.level.value}: ${points.toLocaleString('en')} points`}
          disabled={!overlays.shell.value || ends.length < 2}
          onInput={(level) => (shellShown.level.value = level)}
        />
      )}
    </Section>
  );
}

/** Whether the colours follow the load, and what the strongest means where they do not. */
function StressScale() {
  const step = stepOfStress(stress.top.value);
  const isOff = !overlays.stress.value;
  return (
    <>
      <Choice
        legend="Stress scale"
        name="stress-scale"
        options={[
          { value: 'following', label: 'Follows' },
          { value: 'fixed', label: 'Fixed' },
        ]}
        value={stress.isFollowing.value ? 'following' : 'fixed'}
        isDisabled={isOff}
        onChoose={(chosen) => (stress.isFollowing.value = chosen === 'following')}
      />
      {!stress.isFollowing.value && (
        <Slider
          label="Strongest colour at"
          value={step}
          min={0}
          max={STRESS_STEPS}
          step={1}
          text={formatStress(stress.top.value)}
          disabled={isOff}
          onInput={(wished) => (stress.top.value = stressAtStep(wished))}
        />
      )}
    </>
  );
}

const AXES = (['x', 'y', 'z'] as const).map((axis) => ({ value: axis, label: axis }));

function SliceSection({ scene }: { scene: StudioScene }) {
  const axis = sliceAt.axis.value;
  const position = sliceAt.position.value[axis];
  const [low, high] = sliceAt.range.value[axis];
  const isOff = !overlays.slice.value || phase.value !== 'ready';
  return (
    <Section title="Distance field">
      <div class="switches">
        <Switch label="Slice" overlay="slice" swatch="var(--field)" />
        <Switch
          label="Cut open"
          overlay="cut"
          title={`Hide the part of the ${scene.environment.label} in front of the slice`}
        />
      </div>
      <Choice
        legend="Perpendicular to"
        name="axis"
        options={AXES}
        value={axis}
        onChoose={(chosen) => (sliceAt.axis.value = chosen)}
      />
      <Slider
        label="Position"
        value={Math.round(1000 * position)}
        min={Math.ceil(1000 * low)}
        max={Math.floor(1000 * high)}
        step={1}
        text={`${axis} = ${formatMm(position)} mm`}
        disabled={isOff}
        onInput={(mm) => (sliceAt.position.value = { ...sliceAt.position.value, [axis]: mm / 1000 })}
      />
    </Section>
  );
}

function Foot() {
  return (
    <footer class="panel-foot">
      <Choice
        legend="Theme"
        name="theme"
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        value={themeChoice.value}
        onChoose={chooseTheme}
      />
      <ul class="facts">
        {facts.value.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </footer>
  );
}

/** With a true minus sign. */
function formatMm(metres: number): string {
  return (1000 * metres).toFixed(0).replace(/^-0$/, '0').replace('-', '−');
}
