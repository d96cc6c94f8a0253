// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// Bytes that belong to one instant, in host time.
struct TimedBytes: Sendable {
  var time: MIDITimeStamp
  var bytes: [UInt8]
}
