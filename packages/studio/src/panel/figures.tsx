/** A live number in figures of fixed width, with its unit; nothing moves when it changes. */
export const NOTHING = '–';

export function Figure({ name, value, unit, id }: { name: string; value: string; unit: string; id: string }) {
  return (
    <div class="readout" data-reading={id}>
      <dt>{name}</dt>
      <dd>
        <span class="figures">{value}</span> <span class="unit">{unit}</span>
      </dd>
    </div>
  );
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}
