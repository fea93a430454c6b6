/** For those who do not drag: the browser's own dialog for files. */
import { useRef } from 'preact/hooks';
import { takeFiles } from './dropped.js';

const ENDINGS = '.stl,.obj,.ply,.off,.glb,.gltf,.bin,.json,.step,.stp,.msh,.veg,.vtk,.mesh,.node,.ele';

export function OpenFilesButton({ onChosen }: { readonly onChosen?: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ENDINGS}
        aria-label="Mesh or scene files"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onChosen?.();
          void takeFiles(files);
        }}
      />
      <button type="button" onClick={() => input.current?.click()}>
        Choose files…
      </button>
    </>
  );
}
