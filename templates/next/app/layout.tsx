import type { ReactNode } from 'react';
import './page.css';

export const metadata = { title: 'Gems' };
export const viewport = { themeColor: '#191720', viewportFit: 'cover' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
