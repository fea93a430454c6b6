import { crc32 } from 'node:zlib';
import {
  type IWritable,
  McapRecordBuilder,
  McapStreamReader,
  McapWriter,
  type McapWriterOptions,
  Opcode,
  type TypedMcapRecord,
} from '@mcap/core';

type Of<Type extends TypedMcapRecord['type']> = Extract<TypedMcapRecord, { type: Type }>;

/** What programs that recover a file get out of it: its whole chunks, each understood by itself, and what is beside them. */
export interface RecoveredFile {
  readonly chunks: TypedMcapRecord[][];
  readonly metadata: Of<'Metadata'>[];
  readonly attachments: Of<'Attachment'>[];
  /** Schemas, channels and messages that stand outside of the chunks. */
  readonly bare: number;
}

/** Goes through the data section record by record, as far as records are whole; so does `mcap recover`. */
export function takeChunks(bytes: Buffer): RecoveredFile {
  const found: RecoveredFile & { bare: number } = { chunks: [], metadata: [], attachments: [], bare: 0 };
  for (let at = 8; at + 9 <= bytes.length && bytes[at] !== Opcode.DATA_END; ) {
    const end = at + 9 + Number(bytes.readBigUInt64LE(at + 1));
    if (end > bytes.length) break;
    const content = bytes.subarray(at + 49, end);
    if (bytes[at] !== Opcode.CHUNK) {
      for (const record of recordsOf(bytes.subarray(at, end))) {
        if (record.type === 'Metadata') found.metadata.push(record);
        else if (record.type === 'Attachment') found.attachments.push(record);
        else if (['Schema', 'Channel', 'Message'].includes(record.type)) found.bare += 1;
      }
    } else if (crc32(content) === bytes.readUInt32LE(at + 33)) found.chunks.push(recordsOf(content));
    at = end;
  }
  return found;
}

/** A reader that knows nothing from before: it fails on a message whose channel the bytes do not name. */
function recordsOf(bytes: Uint8Array): TypedMcapRecord[] {
  const reader = new McapStreamReader({ noMagicPrefix: true });
  reader.append(bytes);
  const records: TypedMcapRecord[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) records.push(record);
  return records;
}

export function messagesOf(records: readonly TypedMcapRecord[], topic: string): Of<'Message'>[] {
  const ids = records.flatMap((record) => (record.type === 'Channel' && record.topic === topic ? [record.id] : []));
  return records.filter(
    (record): record is Of<'Message'> => record.type === 'Message' && ids.includes(record.channelId),
  );
}

export interface RewriteOptions extends Omit<McapWriterOptions, 'writable'> {
  /** Where metadata and attachments go. */
  readonly about: 'before' | 'after' | 'nowhere';
  /** Keys that older recordings did not have. */
  readonly withoutKeys?: readonly string[];
}

/** Writes again what was recovered, with numbers of its own for schemas and channels. */
export async function rewrite(found: RecoveredFile, { about, withoutKeys = [], ...options }: RewriteOptions) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const writable: IWritable = {
    position: () => BigInt(size),
    async write(piece) {
      pieces.push(Uint8Array.from(piece));
      size += piece.length;
    },
  };
  const keep = (metadata: Map<string, string>) => new Map([...metadata].filter(([key]) => !withoutKeys.includes(key)));
  const writer = new McapWriter({ writable, startChannelId: 7, ...options });
  await writer.start();
  const writeAbout = async () => {
    for (const { name, metadata } of found.metadata) await writer.addMetadata({ name, metadata: keep(metadata) });
    for (const attachment of found.attachments) await writer.addAttachment(attachment);
  };
  if (about === 'before') await writeAbout();
  const schemas = new Map<number, number>();
  const channels = new Map<number, number>();
  for (const record of found.chunks.flat()) {
    if (record.type === 'Schema' && !schemas.has(record.id)) {
      schemas.set(record.id, await writer.registerSchema(record));
    } else if (record.type === 'Channel' && !channels.has(record.id)) {
      const schemaId = schemas.get(record.schemaId)!;
      channels.set(record.id, await writer.registerChannel({ ...record, schemaId, metadata: keep(record.metadata) }));
    } else if (record.type === 'Message') {
      await writer.addMessage({ ...record, channelId: channels.get(record.channelId)! });
    }
  }
  if (about === 'after') await writeAbout();
  await writer.end();
  return Buffer.concat(pieces);
}

/** As older recordings come out of `mcap recover`: chunks of messages only; the index alone names schemas and channels. */
export function namedInIndexOnly(found: RecoveredFile): Buffer {
  const all = found.chunks.flat();
  const messages = new McapRecordBuilder();
  for (const record of all) if (record.type === 'Message') messages.writeMessage(record);
  const content = Uint8Array.from(messages.buffer);
  const file = new McapRecordBuilder();
  file.writeMagic();
  file.writeHeader({ profile: '', library: 'test' });
  for (const { name, metadata } of found.metadata) file.writeMetadata({ name, metadata });
  file.writeChunk({
    messageStartTime: 0n,
    messageEndTime: 0n,
    uncompressedSize: BigInt(content.length),
    uncompressedCrc: crc32(content),
    compression: '',
    records: content,
  });
  file.writeDataEnd({ dataSectionCrc: 0 });
  const summaryStart = BigInt(file.length);
  for (const record of all) if (record.type === 'Schema') file.writeSchema(record);
  for (const record of all) if (record.type === 'Channel') file.writeChannel(record);
  file.writeFooter({ summaryStart, summaryOffsetStart: 0n, summaryCrc: 0 });
  file.writeMagic();
  return Buffer.from(file.buffer);
}
