import { useLoader } from '@react-three/fiber';
import { GltfPhysics, type AddedGltf } from 'betwixt/react';
import { useRef } from 'react';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

export function Level() {
  const gltf = useLoader(GLTFLoader, '/level.glb'); // or useGLTF('/level.glb') of drei
  const level = useRef<AddedGltf>(null);
  const open = () => level.current?.bodies.get('Door')?.applyImpulse({ x: 5, y: 0, z: 0 }, true);
  return <GltfPhysics gltf={gltf} ref={level} position={[0, 1, 0]} onClick={open} />;
}
