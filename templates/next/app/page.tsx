import { Game } from './game';

/** Rendered on the server, with a canvas that is still empty. */
export default function Page() {
  return (
    <main>
      <Game />
      <p>Click or tap the gems to throw them.</p>
    </main>
  );
}
