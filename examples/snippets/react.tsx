/** Shows the first scene of the guide for React Three Fiber. */
import { createRoot } from 'react-dom/client';
import { App } from '../../docs/snippets/react/first-scene.js';

createRoot(document.querySelector('#root') as HTMLElement).render(<App />);
