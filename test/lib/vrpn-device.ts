import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createVrpnReader, describeSender, describeType, VRPN_COOKIE, writeVrpn } from './vrpn-wire.js';

const POSE_TYPE = 6;

/** A force device of another maker: it tells where its hand is and notes what it is pushed with. */
export interface VrpnDevice {
  readonly port: number;
  /** Along z, N: the newest that was asked for. */
  readonly push: number;
  setPosition(x: number, y: number, z: number): void;
  close(): Promise<void>;
}

export async function startVrpnDevice(name: string, port = 0): Promise<VrpnDevice> {
  const sockets = new Set<Socket>();
  let push = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    const read = createVrpnReader();
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      // Where a field is centred (three numbers), then its force.
      const fields = read(chunk).filter(({ type }) => type === 'vrpn_ForceDevice Force_Field');
      push = fields.at(-1)?.payload.readFloatBE(20) ?? push;
    });
    socket.write(
      Buffer.concat([VRPN_COOKIE, describeSender(4, name), describeType(POSE_TYPE, 'vrpn_Tracker Pos_Quat')]),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get push() {
      return push;
    },
    setPosition(x, y, z) {
      const payload = Buffer.alloc(64);
      [x, y, z, 0, 0, 0, 1].forEach((value, k) => {
        payload.writeDoubleBE(value, 8 + 8 * k);
      });
      const message = writeVrpn(4, POSE_TYPE, payload);
      for (const socket of sockets) socket.write(message);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
