import { RigidBody, VehicleWheel, useVehicle, type RapierRigidBody } from 'betwixt/react';
import { VehicleDesc } from 'betwixt/world';
import { useRef } from 'react';

const WHEELS = [1.3, -1.3].flatMap((z) => [-0.9, 0.9].map((x) => ({ x, y: 0, z })));
const CAR = new VehicleDesc().setInputs({ engineForce: 600, brakeForce: 2000 });
for (const place of WHEELS) {
  CAR.addWheel({
    chassisConnectionPointCs: place,
    radius: 0.4,
    suspensionRestLength: 0.5,
    suspensionStiffness: 30,
    isSteered: place.z > 0,
  });
}

export function Car() {
  const chassis = useRef<RapierRigidBody>(null);
  const vehicle = useVehicle(chassis, CAR);
  return (
    <RigidBody ref={chassis} position={[0, 1, 0]} density={80}>
      <mesh onClick={() => vehicle.current?.drive({ engine: 600, steering: 0.2 })}>
        <boxGeometry args={[1.8, 0.5, 4]} />
      </mesh>
      {WHEELS.map(({ x, y, z }, index) => (
        <VehicleWheel key={`${x} ${z}`} vehicle={vehicle} index={index} position={[x, y, z]}>
          <mesh rotation-z={Math.PI / 2}>
            <cylinderGeometry args={[0.4, 0.4, 0.3]} />
          </mesh>
        </VehicleWheel>
      ))}
    </RigidBody>
  );
}
