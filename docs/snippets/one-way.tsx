import { CuboidCollider } from 'betwixt/react';

// #region one-way
const Floor = () => <CuboidCollider args={[2, 0.1, 2]} oneWay={{}} />;
// #endregion

export { Floor };
