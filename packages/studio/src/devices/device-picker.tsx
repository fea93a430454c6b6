/** The panel's list of devices: what answers, what could, and what to do about the rest. */
import { Section } from '../controls/controls.js';
import './device-picker.css';
import { type DeviceEntry, deviceEntries } from './page-devices.js';

export function DevicePicker() {
  // Without a stage there is nothing to move.
  if (deviceEntries.value.length === 0) return null;
  return (
    <Section title="Devices">
      <ul class="devices">
        {deviceEntries.value.map((entry) => (
          <DeviceLine key={entry.name} {...entry} />
        ))}
      </ul>
    </Section>
  );
}

function DeviceLine({ name, status, action }: DeviceEntry) {
  return (
    <li class="device" data-state={status.state}>
      <span class="device-dot" aria-hidden="true" />
      <span>{name}</span>
      {action && (
        <button type="button" onClick={action.run} aria-label={`${action.label}: ${name}`}>
          {action.label}
        </button>
      )}
      <p class="device-status" role="status">
        {status.text}
      </p>
      {status.detail && <p class="device-detail figures">{status.detail}</p>}
    </li>
  );
}
