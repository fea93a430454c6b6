/** The scene as it is now, to keep as a file or to pass on as a link. */
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Dialog } from '../controls/dialog.js';
import { fileName, saveFile } from '../record/export.js';
import { broughtFiles, type StudioScene } from '../scene/scene.js';
import { encodeScene, LONGEST_LINK } from '../scene/scene-link.js';

export const isShareOpen = signal(false);

interface ShareDialogProps {
  readonly scene: StudioScene;
  /** What a file would hold, with what was changed since the scene was opened. */
  readonly readValue: () => unknown;
}

export function ShareDialog({ scene, readValue }: ShareDialogProps) {
  return (
    <Dialog title="Save and share" isOpen={isShareOpen.value} class="share" onClose={() => (isShareOpen.value = false)}>
      <ShareSheet scene={scene} readValue={readValue} />
    </Dialog>
  );
}

function ShareSheet({ scene, readValue }: ShareDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const link = describeLink(scene, readValue());
  const brought = broughtFiles(scene);
  const save = () => {
    const text = `${JSON.stringify(readValue(), null, 2)}\n`;
    saveFile(fileName(scene.name, 'json', 'scene'), new Blob([text], { type: 'application/json' }));
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link.address!);
      setCopied(true);
    } catch {
      // Not allowed here; the text stands in the field to be copied by hand.
      document.querySelector<HTMLInputElement>('.share-row input')?.select();
    }
  };
  return (
    <>
      <div class="share-row">
        <p>
          The scene as a file that the command <code>palpable</code> reads too.
          {brought.length > 0 && ` Keep ${brought.join(' and ')} beside it.`}
        </p>
        <button type="button" class="primary" onClick={save}>
          Save as a file
        </button>
      </div>
      {link.address === undefined ? (
        <div class="share-row">
          <p>{link.problem}</p>
        </div>
      ) : (
        <div class="share-row">
          <input
            type="text"
            class="field"
            readOnly
            aria-label="Link to this scene"
            value={link.address}
            onFocus={(event) => event.currentTarget.select()}
          />
          <button type="button" onClick={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy the link'}
          </button>
        </div>
      )}
    </>
  );
}

function describeLink(scene: StudioScene, value: unknown): { address?: string; problem?: string } {
  const brought = broughtFiles(scene);
  if (brought.length > 0) {
    const are = brought.length === 1 ? 'is your own file' : 'are your own files';
    return {
      problem: `No link: ${brought.join(' and ')} ${are}, which a link cannot contain. Save the scene as a file and share it together with ${brought.length === 1 ? 'it' : 'them'}.`,
    };
  }
  const address = `${location.origin}${location.pathname}#scene=${encodeScene(value)}`;
  if (address.length > LONGEST_LINK) {
    return { problem: 'No link: the scene is too long for one. Save it as a file and share that.' };
  }
  return { address };
}
