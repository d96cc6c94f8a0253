// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// Packets that were enqueued together.
struct PacketList {
  let packets: [[UInt8]]
  let start: SoundQueue.Moment?
  let trimStart: Int
  let trimEnd: Int
  let changes: [SoundQueue.Change]
  let completion: SoundQueue.Completion?
}
