import { describe, expect, it } from 'vitest';
import { findQueues } from './socket-queues.js';

/** As Linux writes it: 3883 is 0F2B, 51234 is C822. */
const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0F2B 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 137 1 0 100 0 0 10 0
   1: 0100007F:0F2B 0100007F:C822 01 00000010:00000007 02:000014D3 00000000     0        0 138 3 0
   2: 0100007F:C822 0100007F:0F2B 01 00000003:00001F40 00:00000000 00000000     0        0 139 3 0
   3: 0501A8C0:0F2B 0700A8C0:C822 01 00000100:00000000 00:00000000 00000000     0        0 140 3 0
   4: 0100007F:C822 0200007F:0F2B 01 00000000:00000009 00:00000000 00000000     0        0 141 3 0

  sl  local_address                         remote_address                        st tx_queue rx_queue
   0: 00000000000000000000000001000000:0F2B 00000000000000000000000001000000:C822 01 00000001:00000000 00:00000000 0
   1: 00000000000000000000000001000000:C822 00000000000000000000000001000000:0F2B 01 00000000:00000002 00:00000000 0
   2: B80D01200000000067452301EFCDAB89:0F2B 0000000000000000FFFF00000100007F:C823 01 00000005:00000000 00:00000000 0
   3: 0000000000000000FFFF00000100007F:0F2B 0000000000000000FFFF00000100007F:C823 01 00000006:00000000 00:00000000 0
`;

const ends = (localAddress: string, remoteAddress: string, remotePort = 51_234) => {
  return { localAddress, localPort: 3883, remoteAddress, remotePort };
};

describe("the system's table of sockets", () => {
  it('has both ends of a connection within the machine', () => {
    expect(findQueues(TABLE, ends('127.0.0.1', '127.0.0.1'))).toEqual({ unconfirmed: 16, unread: 8000 });
    expect(findQueues(TABLE, ends('::1', '::1'))).toEqual({ unconfirmed: 1, unread: 2 });
  });

  it('has only our end of a connection to another', () => {
    expect(findQueues(TABLE, ends('192.168.1.5', '192.168.0.7'))).toEqual({ unconfirmed: 256, unread: null });
  });

  it('may write IPv4 as IPv6', () => {
    const mapped = ends('::ffff:127.0.0.1', '::ffff:127.0.0.1', 51_235);
    expect(findQueues(TABLE, mapped)).toEqual({ unconfirmed: 6, unread: null });
    expect(findQueues(TABLE, ends('2001:db8::123:4567:89ab:cdef', '127.0.0.1', 51_235))?.unconfirmed).toBe(5);
  });

  it('need not have a connection', () => {
    expect(findQueues(TABLE, ends('127.0.0.1', '10.0.0.1'))).toBeNull();
    expect(findQueues('', ends('127.0.0.1', '127.0.0.1'))).toBeNull();
  });
});
