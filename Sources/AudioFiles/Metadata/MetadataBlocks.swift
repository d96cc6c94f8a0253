// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import MusicalTime

/// libsndfile's table of cue points, a C structure of variable length.
@safe
struct CueBlock {
  /// The maximum number of cue points.
  static let limit = 10_000

  let base: UnsafeMutableRawPointer
  let byteCount: Int
  private let count: Int

  private static let head = MemoryLayout<UInt32>.size
  private static let stride = MemoryLayout<SF_CUE_POINT>.stride

  static func with<Result>(count: Int, _ body: (CueBlock) -> Result) -> Result {
    let byteCount = head + count * stride
    return unsafe withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { bytes in
      guard let base = bytes.baseAddress else {
        preconditionFailure("internal error: a block without an address")
      }
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      return body(unsafe CueBlock(base: base, byteCount: byteCount, count: count))
    }
  }

  var markers: [SoundFileMetadata.Marker] {
    let found = min(count, Int(unsafe base.load(as: UInt32.self)))
    return (0..<found).map { index in
      let point = unsafe (base + Self.head + index * Self.stride).loadUnaligned(
        as: SF_CUE_POINT.self)
      let name = unsafe withUnsafeBytes(of: point.name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      return SoundFileMetadata.Marker(
        position: SampleTime(frames: Int64(point.sample_offset)), name: name)
    }
  }

  func fill(_ markers: [SoundFileMetadata.Marker]) {
    unsafe base.storeBytes(of: UInt32(count), as: UInt32.self)
    for (index, marker) in markers.prefix(count).enumerated() {
      var point = SF_CUE_POINT()
      point.indx = Int32(index + 1)
      point.position = UInt32(clamping: marker.position.frames)
      point.sample_offset = point.position
      // "data", the name of the sound chunk in WAV files.
      point.fcc_chunk = 0x6174_6164
      unsafe withUnsafeMutableBytes(of: &point.name) {
        unsafe $0.copyBytes(from: marker.name.utf8.prefix($0.count - 1))
      }
      unsafe (base + Self.head + index * Self.stride).copyMemory(
        from: &point, byteCount: Self.stride)
    }
  }
}

/// libsndfile's broadcast extension with a coding history, a C structure of variable length.
@safe
struct BroadcastBlock {
  /// Less than the 16 KiB that libsndfile rejects.
  static let byteCount = 16_000

  let base: UnsafeMutableRawPointer

  private typealias Layout = MemoryLayout<SF_BROADCAST_INFO>
  private static let history = Layout.offset(of: \SF_BROADCAST_INFO.coding_history) ?? 0

  static func with<Result>(_ body: (BroadcastBlock) -> Result) -> Result {
    unsafe withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { bytes in
      guard let base = bytes.baseAddress else {
        preconditionFailure("internal error: a block without an address")
      }
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      return body(unsafe BroadcastBlock(base: base))
    }
  }

  private var head: UnsafeMutablePointer<SF_BROADCAST_INFO> {
    unsafe base.assumingMemoryBound(to: SF_BROADCAST_INFO.self)
  }

  var broadcast: SoundFileMetadata.Broadcast {
    var broadcast = SoundFileMetadata.Broadcast()
    broadcast.description = text(\.description, 256)
    broadcast.originator = text(\.originator, 32)
    broadcast.originatorReference = text(\.originator_reference, 32)
    broadcast.date = text(\.origination_date, 10)
    broadcast.time = text(\.origination_time, 8)
    broadcast.timeReference =
      unsafe UInt64(head.pointee.time_reference_high) << 32
      | UInt64(head.pointee.time_reference_low)
    let size = unsafe min(Int(head.pointee.coding_history_size), Self.byteCount - Self.history)
    broadcast.codingHistory = text(at: Self.history, size)
    return broadcast
  }

  /// Fills the block; returns the number of bytes used.
  func fill(_ broadcast: SoundFileMetadata.Broadcast) -> Int {
    store(broadcast.description, \.description, 256)
    store(broadcast.originator, \.originator, 32)
    store(broadcast.originatorReference, \.originator_reference, 32)
    store(broadcast.date, \.origination_date, 10)
    store(broadcast.time, \.origination_time, 8)
    unsafe head.pointee.time_reference_low = UInt32(truncatingIfNeeded: broadcast.timeReference)
    unsafe head.pointee.time_reference_high = UInt32(broadcast.timeReference >> 32)
    unsafe head.pointee.version = 1
    let room = Self.byteCount - Self.history - 256
    let count = min(broadcast.codingHistory.utf8.count, room)
    store(broadcast.codingHistory, at: Self.history, count)
    unsafe head.pointee.coding_history_size = UInt32(count)
    return max(MemoryLayout<SF_BROADCAST_INFO>.size, Self.history + count + 1)
  }

  private func text<Field>(_ field: KeyPath<SF_BROADCAST_INFO, Field>, _ size: Int) -> String {
    text(at: Layout.offset(of: field) ?? 0, size)
  }

  private func text(at offset: Int, _ size: Int) -> String {
    let bytes = unsafe UnsafeRawBufferPointer(start: base + offset, count: size)
    return unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private func store<Field>(
    _ text: String, _ field: KeyPath<SF_BROADCAST_INFO, Field>, _ size: Int
  ) {
    store(text, at: Layout.offset(of: field) ?? 0, size)
  }

  private func store(_ text: String, at offset: Int, _ size: Int) {
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: base + offset, count: size)
    unsafe bytes.copyBytes(from: text.utf8.prefix(size))
  }
}
