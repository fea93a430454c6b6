import { crc32 } from 'node:zlib';
import {
  type AttachmentIndex,
  type Channel,
  type ChunkIndex,
  McapChunkBuilder,
  McapRecordBuilder,
  type MetadataIndex,
  Opcode,
  type Schema,
  type Statistics,
  type SummaryOffset,
} from '@mcap/core';
import type { OutputFile } from './output-file.js';

/**
 * An MCAP file that can be read at every moment of its making.
 *
 * Messages gather in chunks, because tools find their way by the index of chunks; but a chunk that is written only when
 * it is full would be lost with the process. So an open chunk grows in the file: `flush` first appends the new messages,
 * then writes the chunk's head over with the new length and checksum. Between the two the new messages stand behind a
 * chunk that ends before them, which is just as good a file. Only footer and index wait for `end`; a reader that goes
 * through the file from its start does without.
 *
 * Every chunk says again which schemas and channels its messages have, and nothing outside of the chunks does but the
 * index: programs that recover a file take it chunk by chunk, and a chunk that stands alone must still make sense.
 */
export class McapFile {
  private readonly file: OutputFile;
  private readonly records = new McapRecordBuilder();
  private readonly chunk = new McapChunkBuilder({});
  private readonly chunkHead = new DataView(new ArrayBuffer(CHUNK_HEAD_BYTES));
  /** Place of the open chunk in the file, how much of its content is there, and the checksum of that. */
  private chunkStart = -1;
  private chunkWritten = 0;
  private chunkCrc = 0;
  /** Numbers of what the open chunk has said of its messages. */
  private readonly chunkSchemas = new Set<number>();
  private readonly chunkChannels = new Set<number>();
  /** Of everything before the index. */
  private dataCrc = 0;
  private readonly schemas: Schema[] = [];
  private readonly channels: Channel[] = [];
  private readonly messageCounts = new Map<number, bigint>();
  private readonly chunkIndexes: ChunkIndex[] = [];
  private readonly metadataIndexes: MetadataIndex[] = [];
  private readonly attachmentIndexes: AttachmentIndex[] = [];
  private messages = 0n;
  private startTime = 0n;
  private endTime = 0n;

  constructor(file: OutputFile, library: string) {
    this.file = file;
    file.clear();
    this.records.writeMagic();
    this.records.writeHeader({ profile: '', library });
    this.appendRecords();
  }

  get bytes(): number {
    return this.file.bytes;
  }

  /** Gives the schema's id. Schemas and channels go to the file with the messages that need them. */
  addSchema(name: string, encoding: 'protobuf' | 'jsonschema', data: Uint8Array): number {
    const id = this.schemas.length + 1;
    this.schemas.push({ id, name, encoding, data });
    return id;
  }

  /** Gives the channel's id. */
  addChannel(topic: string, schemaId: number, messageEncoding: 'protobuf' | 'json', metadata = {}): number {
    const id = this.channels.length;
    this.channels.push({ id, schemaId, topic, messageEncoding, metadata: new Map(Object.entries(metadata)) });
    this.messageCounts.set(id, 0n);
    return id;
  }

  /** Goes to the file at once, as attachments do. */
  addMetadata(name: string, entries: Readonly<Record<string, string>>): void {
    this.closeChunk();
    const offset = BigInt(this.file.bytes);
    const length = this.records.writeMetadata({ name, metadata: new Map(Object.entries(entries)) });
    this.metadataIndexes.push({ name, offset, length });
    this.appendRecords();
  }

  addAttachment(name: string, mediaType: string, time: bigint, data: Uint8Array): void {
    this.closeChunk();
    const about = { name, mediaType, logTime: time, createTime: time };
    const offset = BigInt(this.file.bytes);
    const length = this.records.writeAttachment({ ...about, data });
    this.attachmentIndexes.push({ ...about, offset, length, dataSize: BigInt(data.length) });
    this.appendRecords();
  }

  /** Kept until `flush`; `data` is copied. */
  addMessage(channelId: number, time: bigint, data: Uint8Array): void {
    this.declare(channelId);
    const count = this.messageCounts.get(channelId)!;
    const sequence = Number(count & 0xffffffffn);
    this.chunk.addMessage({ channelId, sequence, logTime: time, publishTime: time, data });
    if (this.messages === 0n || time < this.startTime) this.startTime = time;
    if (time > this.endTime) this.endTime = time;
    this.messageCounts.set(channelId, count + 1n);
    this.messages += 1n;
  }

  /** All messages so far are in the file afterwards. */
  flush(): void {
    const content = this.chunk.buffer;
    if (content.length === this.chunkWritten) return;
    if (this.chunkStart < 0) {
      this.chunkStart = this.file.bytes;
      this.file.append(this.headOfChunk(0));
    }
    const added = content.subarray(this.chunkWritten);
    this.chunkCrc = crc32(added, this.chunkCrc);
    this.file.append(added);
    this.chunkWritten = content.length;
    this.file.patch(this.headOfChunk(content.length), this.chunkStart);
  }

  /** After a `flush`: the next message begins another chunk if this one is large enough. */
  closeFullChunk(): void {
    if (this.chunk.byteLength >= MAX_CHUNK_BYTES) this.closeChunk();
  }

  /** Ends the file with its index. */
  end(): void {
    this.closeChunk();
    this.records.writeDataEnd({ dataSectionCrc: this.dataCrc });
    this.file.append(this.records.buffer);
    this.records.reset();
    this.writeSummary();
  }

  /** The open chunk says what messages of a channel are, unless it has done so. */
  private declare(channelId: number): void {
    if (this.chunkChannels.has(channelId)) return;
    const channel = this.channels[channelId]!;
    if (!this.chunkSchemas.has(channel.schemaId)) this.chunk.addSchema(this.schemas[channel.schemaId - 1]!);
    this.chunk.addChannel(channel);
    this.chunkSchemas.add(channel.schemaId);
    this.chunkChannels.add(channelId);
  }

  private headOfChunk(contentBytes: number): Uint8Array {
    const head = this.chunkHead;
    head.setUint8(0, Opcode.CHUNK);
    head.setBigUint64(1, BigInt(CHUNK_HEAD_BYTES - 9 + contentBytes), true);
    head.setBigUint64(9, this.chunk.messageStartTime, true);
    head.setBigUint64(17, this.chunk.messageEndTime, true);
    head.setBigUint64(25, BigInt(contentBytes), true);
    head.setUint32(33, contentBytes === 0 ? 0 : this.chunkCrc, true);
    // No compression: its name is an empty text.
    head.setUint32(37, 0, true);
    head.setBigUint64(41, BigInt(contentBytes), true);
    return new Uint8Array(head.buffer);
  }

  private closeChunk(): void {
    this.flush();
    if (this.chunkStart < 0) return;
    const content = this.chunk.buffer;
    this.dataCrc = crc32(content, crc32(this.headOfChunk(content.length), this.dataCrc));
    const indexStart = this.file.bytes;
    const messageIndexOffsets = new Map<number, bigint>();
    for (const index of this.chunk.indices) {
      messageIndexOffsets.set(index.channelId, BigInt(indexStart + this.records.length));
      this.records.writeMessageIndex(index);
    }
    const messageIndexLength = BigInt(this.records.length);
    this.appendRecords();
    this.chunkIndexes.push({
      messageStartTime: this.chunk.messageStartTime,
      messageEndTime: this.chunk.messageEndTime,
      chunkStartOffset: BigInt(this.chunkStart),
      chunkLength: BigInt(CHUNK_HEAD_BYTES + content.length),
      messageIndexOffsets,
      messageIndexLength,
      compression: '',
      compressedSize: BigInt(content.length),
      uncompressedSize: BigInt(content.length),
    });
    this.chunk.reset();
    this.chunkStart = -1;
    this.chunkWritten = 0;
    this.chunkCrc = 0;
    this.chunkSchemas.clear();
    this.chunkChannels.clear();
  }

  private appendRecords(): void {
    const bytes = this.records.buffer;
    this.dataCrc = crc32(bytes, this.dataCrc);
    this.file.append(bytes);
    this.records.reset();
  }

  private writeSummary(): void {
    const { records } = this;
    const start = this.file.bytes;
    const offsets = [
      this.writeGroup(start, Opcode.SCHEMA, this.schemas, (schema) => records.writeSchema(schema)),
      this.writeGroup(start, Opcode.CHANNEL, this.channels, (channel) => records.writeChannel(channel)),
      this.writeGroup(start, Opcode.STATISTICS, [this.statistics()], (all) => records.writeStatistics(all)),
      this.writeGroup(start, Opcode.METADATA_INDEX, this.metadataIndexes, (one) => records.writeMetadataIndex(one)),
      this.writeGroup(start, Opcode.ATTACHMENT_INDEX, this.attachmentIndexes, (one) =>
        records.writeAttachmentIndex(one),
      ),
      this.writeGroup(start, Opcode.CHUNK_INDEX, this.chunkIndexes, (one) => records.writeChunkIndex(one)),
    ];
    const offsetStart = start + records.length;
    for (const offset of offsets) if (offset.groupLength > 0n) records.writeSummaryOffset(offset);
    records.writeFooter({ summaryStart: BigInt(start), summaryOffsetStart: BigInt(offsetStart), summaryCrc: 0 });
    const bytes = records.buffer;
    // The checksum is the footer's last number and covers everything before itself.
    const crcAt = bytes.length - 4;
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(crcAt, crc32(bytes.subarray(0, crcAt)), true);
    this.file.append(bytes);
    records.reset();
    records.writeMagic();
    this.file.append(records.buffer);
    records.reset();
  }

  /** Records of one kind in a row, and where they stand. */
  private writeGroup<Item>(
    start: number,
    groupOpcode: Opcode,
    items: readonly Item[],
    write: (item: Item) => void,
  ): SummaryOffset {
    const before = this.records.length;
    for (const item of items) write(item);
    return {
      groupOpcode,
      groupStart: BigInt(start + before),
      groupLength: BigInt(this.records.length - before),
    };
  }

  private statistics(): Statistics {
    return {
      messageCount: this.messages,
      schemaCount: this.schemas.length,
      channelCount: this.channels.length,
      attachmentCount: this.attachmentIndexes.length,
      metadataCount: this.metadataIndexes.length,
      chunkCount: this.chunkIndexes.length,
      messageStartTime: this.startTime,
      messageEndTime: this.endTime,
      channelMessageCounts: this.messageCounts,
    };
  }
}

/** Operation code, length, two times, two sizes, checksum and the name of no compression. */
export const CHUNK_HEAD_BYTES = 49;
/** Two and a half seconds of one hand at 1 kHz: small enough to be fetched alone, large enough to be few. */
const MAX_CHUNK_BYTES = 1024 * 1024;
