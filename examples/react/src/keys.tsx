/** The keys that a scene reads, as buttons for fingers. */
import type { JSX } from 'react';
import { held } from './common/held.js';

export function Keys({ letters }: { readonly letters: string }): JSX.Element {
  return (
    <div className="keys" role="group" aria-label="Keys">
      {[...letters].map((letter) => (
        <button
          key={letter}
          type="button"
          onPointerDown={() => held.add(`Key${letter}`)}
          onPointerUp={() => held.delete(`Key${letter}`)}
          onPointerCancel={() => held.delete(`Key${letter}`)}
          onContextMenu={(event) => event.preventDefault()}
        >
          {letter}
        </button>
      ))}
    </div>
  );
}
