// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CCoreAudio
internal import CoreAudioTypes
internal import MusicalTime

/// A buffer of a recording, and what has been put into it.
@safe
struct FilledBuffer: Sendable {
  /// The buffer.
  let buffer: QueueBuffer
  /// The first frame, counted from the start of the recording.
  let frame: Int64
  /// When the first frame was recorded; nil if the device does not know.
  let host: HostTime?
  /// The bytes that are filled.
  var byteCount = 0
  /// The packets; empty for PCM.
  private(set) var packets: [AudioStreamPacketDescription] = []

  init(_ buffer: QueueBuffer, frame: Int64, host: HostTime?) {
    (self.buffer, self.frame, self.host) = (buffer, frame, host)
  }

  /// The frames that are filled, of samples of a form.
  func frameCount(_ form: PCMForm) -> Int64 { Int64(byteCount / form.bytesPerFrame) }

  /// The next byte to fill.
  var place: UnsafeMutableRawPointer? {
    unsafe buffer.room.baseAddress.map { unsafe $0 + byteCount }
  }

  /// True if a packet of a size fits in, or never would.
  func hasRoom(for count: Int) -> Bool {
    let isListed = buffer.packetCapacity == 0 || packets.count < buffer.packetCapacity
    return packets.isEmpty || isListed && count <= buffer.capacity - byteCount
  }

  /// Adds a packet; one that is larger than the whole buffer is left out.
  mutating func append(_ bytes: [UInt8], frames: Int) {
    guard bytes.count <= buffer.capacity - byteCount, let place = unsafe place else { return }
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe place.copyMemory(from: base, byteCount: bytes.count)
    }
    packets.append(
      AudioStreamPacketDescription(
        mStartOffset: Int64(byteCount), mVariableFramesInPacket: UInt32(frames),
        mDataByteSize: UInt32(bytes.count)))
    byteCount += bytes.count
  }

  /// Stores the sizes in the struct that the program sees.
  func store() {
    unsafe buffer.pointer.pointee.mAudioDataByteSize = UInt32(byteCount)
    let count = min(packets.count, buffer.packetCapacity)
    for index in 0..<count {
      unsafe buffer.pointer.pointee.mPacketDescriptions?[index] = packets[index]
    }
    unsafe buffer.pointer.pointee.mPacketDescriptionCount = UInt32(count)
  }

  /// The time of the first frame.
  var stamp: AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(frame)
    stamp.mRateScalar = 1
    stamp.mFlags = [.sampleTimeValid, .rateScalarValid]
    if let host {
      stamp.mHostTime = UInt64(clamping: host.nanoseconds)
      stamp.mFlags.insert(.hostTimeValid)
    }
    return stamp
  }
}
